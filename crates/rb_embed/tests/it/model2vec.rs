//! A model2vec folder: what a text becomes by it, and which folders are refused.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use rb_embed::Model2Vec;
use rb_index::search::embed::{Embedder as _, Passage};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Eight tokens. Only `[PAD]` and `[UNK]` have something in the third dimension, and `[UNK]` is never counted.
const VOCABULARY: [&str; 8] = ["[PAD]", "[UNK]", "read", "file", "##s", "_", "write", "##r"];
const TABLE: [[f32; 4]; 8] = [
    [0.0, 0.0, 9.0, 0.0],
    [0.0, 0.0, 9.0, 0.0],
    [3.0, 4.0, 0.0, 0.0],
    [0.0, 2.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
    [0.0, 0.0, 0.0, -1.0],
    [-3.0, 4.0, 0.0, 0.0],
    [0.5, 0.0, 0.0, 0.0],
];

struct Tensor {
    name: &'static str,
    dtype: &'static str,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Tensor {
    fn new<const SIZE: usize>(
        name: &'static str,
        dtype: &'static str,
        shape: &[usize],
        numbers: impl IntoIterator<Item = [u8; SIZE]>,
    ) -> Self {
        let bytes = numbers.into_iter().flatten().collect();
        Tensor { name, dtype, shape: shape.to_vec(), bytes }
    }
}

fn embeddings() -> Tensor {
    Tensor::new("embeddings", "F32", &[8, 4], TABLE.as_flattened().iter().map(|n| n.to_le_bytes()))
}

fn safetensors(tensors: &[Tensor]) -> Vec<u8> {
    let mut header = json!({ "__metadata__": { "format": "np" } });
    let mut data = Vec::new();
    for Tensor { name, dtype, shape, bytes } in tensors {
        let offsets = [data.len(), data.len() + bytes.len()];
        header[name] = json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets });
        data.extend(bytes);
    }
    with_header(&header.to_string(), &data)
}

fn with_header(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

fn tokenizer() -> Value {
    let vocabulary: Value = VOCABULARY
        .iter()
        .enumerate()
        .map(|(id, token)| ((*token).to_owned(), Value::from(id)))
        .collect();
    let added = |id: usize| json!({ "id": id, "content": VOCABULARY[id], "special": true });
    json!({
        "version": "1.0",
        "added_tokens": [added(0), added(1)],
        "normalizer": { "type": "BertNormalizer", "lowercase": true, "strip_accents": null },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary,
        },
    })
}

/// The files of a model, to be changed by a test before they are written.
struct Folder {
    model: Vec<u8>,
    tokenizer: Vec<u8>,
    config: Vec<u8>,
}

impl Folder {
    fn new() -> Self {
        Folder::of(&[embeddings()])
    }

    fn of(tensors: &[Tensor]) -> Self {
        Folder {
            model: safetensors(tensors),
            tokenizer: tokenizer().to_string().into_bytes(),
            config: br#"{"model_type": "model2vec", "normalize": true, "seq_length": 1000000}"#
                .to_vec(),
        }
    }

    fn with(tensor: Tensor) -> Self {
        Folder::of(&[embeddings(), tensor])
    }

    fn config(mut self, config: &str) -> Self {
        self.config = config.into();
        self
    }

    fn model(mut self, model: impl Into<Vec<u8>>) -> Self {
        self.model = model.into();
        self
    }

    fn tokenizer(mut self, change: impl FnOnce(&mut Value)) -> Self {
        let mut tokenizer = tokenizer();
        change(&mut tokenizer);
        self.tokenizer = tokenizer.to_string().into_bytes();
        self
    }

    fn write(&self) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("tiny");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("model.safetensors"), &self.model).unwrap();
        fs::write(folder.join("tokenizer.json"), &self.tokenizer).unwrap();
        fs::write(folder.join("config.json"), &self.config).unwrap();
        dir
    }

    fn open(&self) -> Model2Vec {
        Model2Vec::open(&self.write().path().join("tiny")).unwrap()
    }
}

fn check(folder: &Folder, texts: &[&str], expected: &Expect) {
    let model = folder.open();
    let mut shown = String::new();
    for text in texts {
        let vector = model.question(text).unwrap();
        let begin: String = text.chars().take(30).collect();
        writeln!(shown, "{begin:?} {vector:?}").unwrap();
    }
    expected.assert_eq(&shown);
}

fn check_refused(folder: &Folder, expected: &Expect) {
    let dir = folder.write();
    expected.assert_eq(&refusal(dir.path()));
}

fn refusal(dir: &Path) -> String {
    match Model2Vec::open(&dir.join("tiny")) {
        Ok(model) => format!("taken: {}", model.model()),
        Err(error) => {
            let error = format!("{error}\nhint: {}\n", error.hint());
            error.replace(dir.to_str().unwrap(), "DIR")
        }
    }
}

#[test]
fn ix6_a_text_is_the_mean_of_its_tokens() {
    let texts = [
        "read",
        "Read, READ!",
        "read file",
        "files",
        "read_files",
        "reader writer",
        "réàd",
        "",
        "unheard-of [UNK]",
        "[PAD]",
    ];
    check(
        &Folder::new(),
        &texts,
        &expect![[r#"
            "read" [0.6, 0.8, 0.0, 0.0]
            "Read, READ!" [0.6, 0.8, 0.0, 0.0]
            "read file" [0.4472136, 0.8944272, 0.0, 0.0]
            "files" [0.0, 0.8944272, 0.0, 0.4472136]
            "read_files" [0.4472136, 0.8944272, 0.0, 0.0]
            "reader writer" [-0.52999896, 0.8479983, 0.0, 0.0]
            "réàd" [0.6, 0.8, 0.0, 0.0]
            "" [0.0, 0.0, 0.0, 0.0]
            "unheard-of [UNK]" [0.0, 0.0, 0.0, 0.0]
            "[PAD]" [0.0, 0.0, 1.0, 0.0]
        "#]],
    );
}

#[test]
fn ix6_a_model_is_told_apart_by_its_name() {
    let model = Folder::new().open();
    expect!["model2vec tiny d7a296eb"].assert_eq(model.model());
    assert_eq!((model.dimensions(), model.batch(), model.is_local()), (4, 256, true));
    let others = [
        Folder::new().config("{}"),
        Folder::new().tokenizer(|tokenizer| tokenizer["version"] = "2".into()),
        Folder::with(Tensor::new("weights", "F32", &[8], [1.0_f32.to_le_bytes(); 8])),
    ];
    for other in others {
        assert_ne!(other.open().model(), model.model());
    }
}

#[test]
fn ix6_a_passage_is_embedded_as_its_text() {
    let model = Folder::new().open();
    let passage = Passage { path: "read", names: "writer", doc: "file", body: "files" };
    let vectors = model.passages(&[passage, Passage::default()]).unwrap();
    assert_eq!(vectors[0], model.question("read writer file files").unwrap());
    assert_eq!(vectors[1], [0.0; 4]);
}

#[test]
fn ix6_numbers_of_every_type() {
    let numbers = || TABLE.as_flattened().iter();
    let shape = &[8, 4];
    let name = "embedding.weight";
    // Exact in half precision: sign, five bits of exponent, ten of fraction.
    let half = |number: &f32| {
        let bits = number.to_bits();
        let exponent = (bits >> 23 & 0xff).saturating_sub(112);
        u16::try_from(bits >> 31 << 15 | exponent << 10 | bits >> 13 & 0x3ff).unwrap().to_le_bytes()
    };
    let brain = |number: &f32| u16::try_from(number.to_bits() >> 16).unwrap().to_le_bytes();
    // Twice as long: `0.5` has no place among whole numbers.
    #[expect(clippy::cast_possible_truncation, reason = "they are small")]
    let twice = |number: &f32| [((number * 2.0) as i8).cast_unsigned()];
    let tables = [
        Tensor::new(name, "F64", shape, numbers().map(|number| f64::from(*number).to_le_bytes())),
        Tensor::new(name, "F16", shape, numbers().map(half)),
        Tensor::new(name, "BF16", shape, numbers().map(brain)),
        Tensor::new(name, "I8", shape, numbers().map(twice)),
    ];
    let expected = Folder::new().open();
    for table in tables {
        let dtype = table.dtype;
        let model = Folder::of(&[table]).open();
        for text in ["read_files", "reader writer"] {
            assert_eq!(model.question(text).unwrap(), expected.question(text).unwrap(), "{dtype}");
        }
    }
}

#[test]
fn ix6_weights_belong_to_tokens() {
    let weights = [1.0, 1.0, 0.2, 1.5, 0.0, 1.0, f64::INFINITY, 1.0].map(f64::to_le_bytes);
    let folder = Folder::with(Tensor::new("weights", "F64", &[8], weights));
    check(
        &folder,
        &["read", "read file", "files", "read write", "write"],
        &expect![[r#"
        "read" [0.6, 0.8, 0.0, 0.0]
        "read file" [0.15596257, 0.987763, 0.0, 0.0]
        "files" [0.0, 1.0, 0.0, 0.0]
        "read write" [0.6, 0.8, 0.0, 0.0]
        "write" [0.0, 0.0, 0.0, 0.0]
    "#]],
    );
}

#[test]
fn ix6_a_mapping_shares_rows_but_not_weights() {
    let mapping = [0_i64, 0, 1, 1, 2, 2, 1, 0].map(i64::to_le_bytes);
    let weights = [1.0_f32, 1.0, 1.0, 1.0, 1.0, 2.0, -3.0, 1.0].map(f32::to_le_bytes);
    let rows = [[0.0_f32, 5.0], [1.0, 0.0], [0.0, 1.0]];
    let rows = rows.as_flattened().iter().map(|number| number.to_le_bytes());
    let folder = Folder::of(&[
        Tensor::new("embeddings", "F32", &[3, 2], rows),
        Tensor::new("mapping", "I64", &[8], mapping),
        Tensor::new("weights", "F32", &[8], weights),
    ]);
    check(
        &folder,
        &["read", "files", "file _", "read write"],
        &expect![[r#"
        "read" [1.0, 0.0]
        "files" [0.70710677, 0.70710677]
        "file _" [0.4472136, 0.8944272]
        "read write" [-1.0, 0.0]
    "#]],
    );
}

#[test]
fn ix6_what_is_no_number_counts_for_nothing() {
    let mut table = TABLE;
    table[3][2] = f32::NAN;
    table[6][0] = f32::INFINITY;
    table[2] = [f32::MAX; 4];
    let numbers = table.as_flattened().iter().map(|number| number.to_le_bytes());
    let folder = Folder::of(&[Tensor::new("embeddings", "F32", &[8, 4], numbers)]);
    check(
        &folder,
        &["file", "write", "read write file", "read read files"],
        &expect![[r#"
        "file" [0.0, 0.0, 0.0, 0.0]
        "write" [0.0, 0.0, 0.0, 0.0]
        "read write file" [0.5, 0.5, 0.5, 0.5]
        "read read files" [0.5, 0.5, 0.5, 0.5]
    "#]],
    );
}

#[test]
fn ix6_a_text_is_cut_where_the_model_says() {
    let unknown = "x ".repeat(511);
    let texts = [
        // 512 tokens of four letters at the median, and what is behind them.
        format!("{}{}", "_ ".repeat(511), "read read"),
        // An unknown token counts as one.
        format!("{unknown}read file"),
        // 2048 letters are looked at.
        format!("{}read", " ".repeat(2044)),
        format!("{}read", " ".repeat(2045)),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    check(
        &Folder::new(),
        &texts,
        &expect![[r#"
        "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ " [0.0058705606, 0.007827414, 0.0, -0.99995214]
        "x x x x x x x x x x x x x x x " [0.6, 0.8, 0.0, 0.0]
        "                              " [0.6, 0.8, 0.0, 0.0]
        "                              " [0.0, 0.0, 0.0, 0.0]
    "#]],
    );
    check(
        &Folder::new().config(r#"{"max_length": 1}"#),
        &["read file", "x file"],
        &expect![[r#"
        "read file" [0.6, 0.8, 0.0, 0.0]
        "x file" [0.0, 0.0, 0.0, 0.0]
    "#]],
    );
    check(
        &Folder::new().config(r#"{"max_length": null}"#),
        &texts,
        &expect![[r#"
        "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ " [0.011739436, 0.01565258, 0.0, -0.99980855]
        "x x x x x x x x x x x x x x x " [0.4472136, 0.8944272, 0.0, 0.0]
        "                              " [0.6, 0.8, 0.0, 0.0]
        "                              " [0.6, 0.8, 0.0, 0.0]
    "#]],
    );
}

#[test]
fn ix6_words_of_too_many_letters_are_unknown() {
    let long = format!("read{}", "s".repeat(96));
    let longer = format!("read{}", "s".repeat(97));
    check(
        &Folder::new(),
        &[&long, &longer],
        &expect![[r#"
        "readssssssssssssssssssssssssss" [0.031207701, 0.041610267, 0.0, 0.99864644]
        "readssssssssssssssssssssssssss" [0.0, 0.0, 0.0, 0.0]
    "#]],
    );
}

#[test]
fn ix6_added_tokens_are_found_before_words() {
    let folder = Folder::new().tokenizer(|tokenizer| {
        tokenizer["added_tokens"] = json!([
            { "id": 5, "content": "Read File", "normalized": true },
            { "id": 6, "content": "<eol>", "normalized": false },
            { "id": 2, "content": "ab", "normalized": true, "single_word": true },
        ]);
    });
    check(
        &folder,
        &["READ FILE", "read  file", "x<eol>x", "<EOL>", "x ab, ab", "xab ab_ abc"],
        &expect![[r#"
            "READ FILE" [0.0, 0.0, 0.0, -1.0]
            "read  file" [0.4472136, 0.8944272, 0.0, 0.0]
            "x<eol>x" [-0.6, 0.8, 0.0, 0.0]
            "<EOL>" [0.0, 0.0, 0.0, 0.0]
            "x ab, ab" [0.6, 0.8, 0.0, 0.0]
            "xab ab_ abc" [0.0, 0.0, 0.0, -1.0]
        "#]],
    );
}

#[test]
fn ix6_a_folder_without_config_is_read() {
    let dir = Folder::new().write();
    fs::remove_file(dir.path().join("tiny/config.json")).unwrap();
    let model = Model2Vec::open(&dir.path().join("tiny")).unwrap();
    assert_eq!(model.question("read").unwrap(), [0.6, 0.8, 0.0, 0.0]);
}

#[test]
fn ix6_a_folder_that_is_no_model_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let tiny = dir.path().join("tiny");
    expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: there is no such file
        hint: name the folder that holds model.safetensors, tokenizer.json and config.json
    "#]]
    .assert_eq(&refusal(dir.path()));
    fs::create_dir(&tiny).unwrap();
    fs::write(tiny.join("tokenizer.json"), "{}").unwrap();
    expect![[r#"
        DIR/tiny/model.safetensors cannot be used: there is no such file
        hint: name the folder that holds model.safetensors, tokenizer.json and config.json
    "#]]
    .assert_eq(&refusal(dir.path()));
    fs::create_dir(tiny.join("model.safetensors")).unwrap();
    expect![[r#"
        DIR/tiny/model.safetensors cannot be used: it is not a file
        hint: name the folder that holds model.safetensors, tokenizer.json and config.json
    "#]]
    .assert_eq(&refusal(dir.path()));
}

#[test]
fn ix6_files_that_are_too_large_are_not_read() {
    let dir = Folder::new().write();
    // Of no blocks: only their length is large.
    let grow = |name: &str, length: u64| {
        let file = fs::OpenOptions::new().write(true).open(dir.path().join("tiny").join(name));
        file.unwrap().set_len(length).unwrap();
    };
    grow("model.safetensors", (1 << 30) + 1);
    expect![[r#"
        DIR/tiny/model.safetensors cannot be used: it has more than 1024 MB
        hint: choose a smaller model
    "#]]
    .assert_eq(&refusal(dir.path()));
    grow("config.json", (1 << 20) + 1);
    expect![[r#"
        DIR/tiny/config.json cannot be used: it has more than 1 MB
        hint: choose a smaller model
    "#]]
    .assert_eq(&refusal(dir.path()));
    grow("tokenizer.json", (64 << 20) + 1);
    expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: it has more than 64 MB
        hint: choose a smaller model
    "#]]
    .assert_eq(&refusal(dir.path()));
}

#[test]
fn ix6_other_tokenizers_are_refused_by_name() {
    let kind = |part: &'static str, kind: Value| {
        Folder::new().tokenizer(|tokenizer| tokenizer[part] = kind)
    };
    let unigram = json!({ "type": "Unigram", "unk_id": 3, "vocab": [["a", -1.0]] });
    check_refused(
        &kind("model", unigram),
        &expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: its model is Unigram, where WordPiece is expected
        hint: choose a model with the WordPiece tokenizer of BERT, such as potion-base-8M
    "#]],
    );
    check_refused(
        &kind("model", json!({ "type": "BPE", "vocab": {} })),
        &expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: its model is BPE, where WordPiece is expected
        hint: choose a model with the WordPiece tokenizer of BERT, such as potion-base-8M
    "#]],
    );
    check_refused(
        &kind("model", json!({ "vocab": {}, "merges": [] })),
        &expect![[r#"
            DIR/tiny/tokenizer.json cannot be used: its model is not named, where WordPiece is expected
            hint: choose a model with the WordPiece tokenizer of BERT, such as potion-base-8M
        "#]],
    );
    check_refused(
        &kind("normalizer", json!({ "type": "NFKC" })),
        &expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: its normalizer is NFKC, where BertNormalizer is expected
        hint: choose a model with the WordPiece tokenizer of BERT, such as potion-base-8M
    "#]],
    );
    check_refused(
        &kind("pre_tokenizer", Value::Null),
        &expect![[r#"
            DIR/tiny/tokenizer.json cannot be used: its pre_tokenizer is not named, where BertPreTokenizer is expected
            hint: choose a model with the WordPiece tokenizer of BERT, such as potion-base-8M
        "#]],
    );
}

#[test]
fn ix6_a_broken_tokenizer_is_refused() {
    let model = |part: &'static str, value: Value| {
        Folder::new().tokenizer(|tokenizer| tokenizer["model"][part] = value)
    };
    check_refused(
        &model("unk_token", "<unk>".into()),
        &expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: its unknown token has no number
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &model("vocab", json!({ "[UNK]": -1 })),
        &expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: invalid value: integer `-1`, expected u32 at line 1 column 233
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &model("vocab", json!({ "[UNK]": 8 })),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `embeddings` has 8 rows for the 9 tokens of tokenizer.json
        hint: take model.safetensors and tokenizer.json from the same model
    "#]],
    );
    check_refused(
        &model("vocab", json!({ "[UNK]": u32::MAX })),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `embeddings` has 8 rows for the 4294967296 tokens of tokenizer.json
        hint: take model.safetensors and tokenizer.json from the same model
    "#]],
    );
    let many = json!([{ "id": 0, "content": "x".repeat((1 << 20) + 1) }]);
    let many = Folder::new().tokenizer(|tokenizer| tokenizer["added_tokens"] = many);
    check_refused(
        &many,
        &expect![[r#"
        DIR/tiny/tokenizer.json cannot be used: it lists too many added tokens
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &Folder::new().config(r#"{"max_length": -1}"#),
        &expect![[r#"
        DIR/tiny/config.json cannot be used: invalid value: integer `-1`, expected usize at line 1 column 17
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &Folder::new().config("[".repeat(100_000).as_str()),
        &expect![[r#"
        DIR/tiny/config.json cannot be used: invalid type: sequence, expected usize at line 1 column 1
        hint: copy the file again from where the model comes from
    "#]],
    );
}

#[test]
fn ix6_a_broken_table_is_refused() {
    let broken = |model: Vec<u8>| Folder::new().model(model);
    check_refused(
        &broken(b"PK\x03\x04".to_vec()),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: it is too short to be a safetensors file
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &broken(vec![255; 64]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: it does not begin like a safetensors file
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &broken(with_header("{}", b"")[..9].to_vec()),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: it ends within its header
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &broken(with_header("nothing", b"")),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its header is not a list of tensors
        hint: copy the file again from where the model comes from
    "#]],
    );
    check_refused(
        &broken(with_header("{}", b"")),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `embeddings` is missing
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
    let mut cut = Folder::new();
    cut.model.pop();
    check_refused(
        &cut,
        &expect![[r#"
            DIR/tiny/model.safetensors cannot be used: it ends before its tensor `embeddings`
            hint: copy the file again from where the model comes from
        "#]],
    );
}

#[test]
fn ix6_tensors_are_what_they_say() {
    let described = |entry: Value| {
        let header = json!({ "embeddings": entry }).to_string();
        Folder::new().model(with_header(&header, &[0; 128]))
    };
    let tensor = |dtype: &str, shape: &[u64], offsets: [u64; 2]| {
        described(json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets }))
    };
    check_refused(
        &described(json!("F32")),
        &expect![[r#"
            DIR/tiny/model.safetensors cannot be used: it does not say what is in its tensor `embeddings`
            hint: copy the file again from where the model comes from
        "#]],
    );
    check_refused(
        &tensor("F8_E4M3", &[8, 4], [0, 32]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `embeddings` holds numbers of a type that model2vec does not write
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
    check_refused(
        &tensor("F32", &[8, 4], [4, 132]),
        &expect![[r#"
            DIR/tiny/model.safetensors cannot be used: it ends before its tensor `embeddings`
            hint: copy the file again from where the model comes from
        "#]],
    );
    check_refused(
        &tensor("F32", &[8, 4], [128, 0]),
        &expect![[r#"
            DIR/tiny/model.safetensors cannot be used: it ends before its tensor `embeddings`
            hint: copy the file again from where the model comes from
        "#]],
    );
    check_refused(
        &tensor("F32", &[8, 4], [u64::MAX, u64::MAX]),
        &expect![[r#"
            DIR/tiny/model.safetensors cannot be used: it ends before its tensor `embeddings`
            hint: copy the file again from where the model comes from
        "#]],
    );
    check_refused(
        &tensor("F32", &[8, 3], [0, 128]),
        &expect![[r#"
            DIR/tiny/model.safetensors cannot be used: it has more or fewer bytes than the shape says of its tensor `embeddings`
            hint: copy the file again from where the model comes from
        "#]],
    );
    check_refused(
        &tensor("F32", &[1 << 62, 4, 2], [0, 0]),
        &expect![[r#"
            DIR/tiny/model.safetensors cannot be used: it has more or fewer bytes than the shape says of its tensor `embeddings`
            hint: copy the file again from where the model comes from
        "#]],
    );
    check_refused(
        &tensor("F32", &[32], [0, 128]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `embeddings` is no table of vectors
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
    check_refused(
        &tensor("F32", &[8, 0], [0, 0]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `embeddings` is no table of vectors
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
    check_refused(
        &tensor("F32", &[4, 8], [0, 128]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `embeddings` has 4 rows for the 8 tokens of tokenizer.json
        hint: take model.safetensors and tokenizer.json from the same model
    "#]],
    );
}

#[test]
fn ix6_weights_and_mapping_fit_the_vocabulary() {
    let ones = |count: usize| vec![1.0_f32.to_le_bytes(); count];
    let weights = |shape: &[usize]| {
        Folder::with(Tensor::new("weights", "F32", shape, ones(shape.iter().product())))
    };
    check_refused(
        &weights(&[7]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `weights` has 7 rows for the 8 tokens of tokenizer.json
        hint: take model.safetensors and tokenizer.json from the same model
    "#]],
    );
    check_refused(
        &weights(&[8, 1]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `weights` is no list of numbers
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
    let mapping = |rows: [i32; 8]| {
        Folder::with(Tensor::new("mapping", "I32", &[8], rows.map(i32::to_le_bytes)))
    };
    check_refused(
        &mapping([0, 1, 2, 3, 4, 5, 6, 8]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `mapping` points at a row that the table does not have
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
    check_refused(
        &mapping([0, 1, 2, 3, 4, 5, 6, -1]),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `mapping` points at a row that the table does not have
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
    let nowhere = [f32::NAN.to_le_bytes(); 8];
    check_refused(
        &Folder::with(Tensor::new("mapping", "F32", &[8], nowhere)),
        &expect![[r#"
        DIR/tiny/model.safetensors cannot be used: its tensor `mapping` points at a row that the table does not have
        hint: choose a static model, saved by model2vec with `save_pretrained`
    "#]],
    );
}

/// Opens, and embeds where it is taken: whatever the bytes are, each vector is of unit length or of none.
fn check_sound(folder: &Folder, text: &str) -> Result<(), TestCaseError> {
    let dir = folder.write();
    let Ok(model) = Model2Vec::open(&dir.path().join("tiny")) else { return Ok(()) };
    for text in [text, "read_files [PAD] writer", ""] {
        let vector = model.question(text).unwrap();
        prop_assert_eq!(vector.len(), model.dimensions());
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-3, "{} of {:?}", length, text);
    }
    Ok(())
}

/// Where to cut or flip a file, as a share of its length, so that small numbers mean its header.
fn place(bytes: &[u8], at: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a small file"
    )]
    let place = (bytes.len() as f64 * at) as usize;
    place.min(bytes.len() - 1)
}

proptest! {
    #[test]
    fn ix6_any_bytes_are_a_model_or_an_error(
        model in prop::collection::vec(any::<u8>(), 0..200),
        tokenizer in prop::collection::vec(any::<u8>(), 0..200),
        header in ".{0,200}",
        text in any::<String>(),
    ) {
        check_sound(&Folder::new().model(model.clone()), &text)?;
        check_sound(&Folder::new().model(with_header(&header, &model)), &text)?;
        check_sound(&Folder { tokenizer: tokenizer.clone(), ..Folder::new() }, &text)?;
        check_sound(&Folder { config: tokenizer, ..Folder::new() }, &text)?;
    }

    #[test]
    fn ix6_any_text_has_a_vector(text in any::<String>()) {
        check_sound(&Folder::new(), &text)?;
        check_sound(&Folder::new().config(r#"{"max_length": null}"#), &text)?;
    }

    #[test]
    fn ix6_a_cut_or_flipped_file_is_a_model_or_an_error(
        at in 0.0..1.0, flipped in prop::collection::vec((0.0..1.0, any::<u8>()), 1..4), file in 0..3,
    ) {
        let whole = || {
            let mapping = [0_i64, 1, 2, 3, 4, 5, 6, 7].map(i64::to_le_bytes);
            let weights = [0.5_f64; 8].map(f64::to_le_bytes);
            Folder::of(&[
                embeddings(),
                Tensor::new("mapping", "I64", &[8], mapping),
                Tensor::new("weights", "F64", &[8], weights),
            ])
        };
        let of = |folder: &mut Folder, change: &dyn Fn(&mut Vec<u8>)| match file {
            0 => change(&mut folder.model),
            1 => change(&mut folder.tokenizer),
            _ => change(&mut folder.config),
        };
        let mut cut = whole();
        of(&mut cut, &|bytes| bytes.truncate(place(bytes, at)));
        check_sound(&cut, "reader")?;
        let mut changed = whole();
        of(&mut changed, &|bytes| for &(at, mask) in &flipped {
            let place = place(bytes, at);
            bytes[place] ^= mask;
        });
        check_sound(&changed, "reader")?;
    }
}
