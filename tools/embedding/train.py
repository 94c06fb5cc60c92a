#!/usr/bin/env python3
"""Trains the table of token vectors.

    train.py pack --pairs DIR --out DATA.npz [--tokens N]                 builds the vocabulary, packs the pairs as token numbers
    train.py fit --data DATA.npz... --out DIR [--check CACHE...] [--seeds N...] [--set name=value...]     trains, writes DIR/code.vec

`fit` runs on the GPU if there is one. On a processor a seed gives the same bytes each time; a GPU adds floats in no fixed
order. It writes DIR/seed-N.pt every few steps: started again with the same arguments it goes on from there. With --check (from
`evaluate.py prepare`, of repositories that are not in the data) it prints localisation as it goes and keeps the best step.
Several seeds start from the same rows and are averaged.

A step takes pairs of a few repositories, many of each, so that every question meets hundreds of negatives of its own
repository: two-way InfoNCE over the batch, pairs of the same file or the same question masked. Rows and weights are learnt.
"""
import argparse
import collections
import gzip
import json
import sys
from pathlib import Path

import numpy as np

from table import LIMITS, ROLES, Cutter, Table
from words import distinct, words

KINDS = ("commit", "doc", "test", "name")
FIELDS = {"query": "q", "symbol": "s", "doc": "d", "body": "b"}
IN_REPOSITORIES = 3
DEFAULTS = dict(dims=256, steps=600, rate=2e-3, repositories=8, pairs=512, scale=20.0, query_drop=0.2, body_drop=0.5, path_drop=0.25,
                symbol_drop=0.3, every=100, init="svd", init_scale=1.0, commit=1.0, doc=1.0, test=1.0, name=1.0, decay=0.0, average=0.99,
                weight_rate=3.0)


# --- pack

def read_pairs(path):
    with gzip.open(path, "rt") as lines:
        for text in lines:
            pair = json.loads(text)
            bags = {role: pair[key].split() for role, key in FIELDS.items()}
            bags["path"] = words(pair["f"])
            yield pair, {role: distinct(bags[role], LIMITS[role]) for role in ROLES}


def vocabulary(paths, size):
    """The words seen most, in at least a few repositories; a word of a question counts more, since questions are short."""
    count, spread = collections.Counter(), collections.Counter()
    for path in paths:
        own = collections.Counter()
        for _, bags in read_pairs(path):
            for role, bag in bags.items():
                for word in bag:
                    own[word] += 5 if role == "query" else 1
        spread.update(own.keys())
        for word, n in own.items():
            count[word] += min(n, 200)
    known = [w for w in count if spread[w] >= IN_REPOSITORIES]
    return sorted(known, key=lambda w: (-count[w], w))[:size]


def pack(args):
    paths = sorted(args.pairs.glob("*.jsonl.gz"))
    tokens = args.vocabulary.read_text().split() if args.vocabulary else vocabulary(paths, args.tokens)
    cutter, known = Cutter(tokens), {}
    ids = {r: [] for r in ROLES}
    lens = {r: [] for r in ROLES}
    repo, kind, file, asked, files, questions = [], [], [], [], {}, {}
    for number, path in enumerate(paths):
        flat = {r: [] for r in ROLES}
        for pair, bags in read_pairs(path):
            for role, bag in bags.items():
                start = len(flat[role])
                for word in bag:
                    if word not in known:
                        known[word] = cutter.cut(word)
                    flat[role] += known[word]
                del flat[role][start + LIMITS[role]:]
                lens[role].append(len(flat[role]) - start)
            repo.append(number)
            kind.append(KINDS.index(pair["k"]))
            file.append(files.setdefault((number, pair["f"]), len(files)))
            asked.append(questions.setdefault((number, pair["q"]), len(questions)))
        for role in ROLES:
            ids[role].append(np.array(flat[role], np.uint16))
    out = {"repo": np.array(repo, np.int32), "kind": np.array(kind, np.int8), "place": np.array(file, np.int32), "asked": np.array(asked, np.int32),
           "tokens": np.frombuffer("\n".join(tokens).encode(), np.uint8)}
    for role in ROLES:
        out |= {role + "_ids": np.concatenate(ids[role]), role + "_lens": np.array(lens[role], np.uint8)}
    np.savez_compressed(args.out, **out)
    print(f"{len(paths)} repositories, {len(repo)} pairs, {len(tokens)} tokens, kinds {dict(collections.Counter(kind))}", file=sys.stderr)


# --- fit

class Bag:
    """Ragged token numbers on the device, handed out as rows of counts over the vocabulary, some tokens dropped if asked."""

    def __init__(self, torch, device, ids, lens, limit, count):
        self.torch, self.limit, self.count = torch, limit, count
        self.ids = torch.as_tensor(np.concatenate([ids, np.zeros(limit, ids.dtype)]).astype(np.int32), device=device)
        self.lens = torch.as_tensor(lens.astype(np.int64), device=device)
        self.starts = torch.cumsum(self.lens, 0) - self.lens

    def counts(self, index, drop=0.0, generator=None):
        torch, lens = self.torch, self.lens[index]
        span = torch.arange(max(1, min(self.limit, int(lens.max()))), device=lens.device)
        ids = self.ids[self.starts[index][:, None] + span].long()
        keep = span < lens[:, None]
        if drop:
            keep &= torch.rand(ids.shape, device=ids.device, generator=generator) >= drop
        if lens.is_cuda:
            return torch.zeros(len(index), self.count, device=ids.device).scatter_add_(1, ids * keep, keep.float())
        rows = torch.arange(len(index))[:, None].expand_as(ids)[keep]
        return torch.sparse_coo_tensor(torch.stack([rows, ids[keep]]), torch.ones(len(rows)), (len(index), self.count))


def model(torch, first, weights):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.rows = torch.nn.Parameter(first)
            self.log_weights = torch.nn.Parameter(weights)
            self.mix = torch.nn.Parameter(torch.tensor([1.0, 1.0, 0.5, 0.5, 1.0], device=first.device))
            self.scale = torch.nn.Parameter(torch.tensor(0.0, device=first.device))

        def part(self, role, counts):
            """The role's share of a text: the weighted mean of its rows. The mass rides along as one more column."""
            number = ROLES.index(role)
            weight = torch.exp(self.log_weights[number])[:, None]
            total = counts @ torch.cat([weight * self.rows, weight], 1)
            return self.mix[number] * total[:, :-1] / total[:, -1:].clamp_min(1e-6)

    return Model()


def first_rows(torch, data, count, dims, kind, device, generator, scale):
    """Random; a file (see distil.py); or `svd`, the leading directions of which tokens occur in a pair together."""
    if kind == "random":
        return torch.randn(count, dims, device=device, generator=generator) * 0.1 * scale
    if kind.endswith(".npy"):
        rows = torch.as_tensor(np.load(kind).astype(np.float32), device=device)
    else:
        rows = cooccurrence(torch, data, count, dims, device)
    return rows / rows.norm(dim=1).mean() * 1.6 * scale


def cooccurrence(torch, data, count, dims, device):
    total, size = torch.zeros(count, count, device=device), len(data["repo"])
    kind = torch.bfloat16 if device == "cuda" else torch.float32
    for at in range(0, size, 8192):
        index = torch.arange(at, min(size, at + 8192), device=device)
        seen = (sum(data[role].counts(index) for role in ROLES).to_dense() > 0).to(kind)
        total += (seen.T @ seen).float()
    alone = total.diagonal().clone().clamp_min(1)
    total.fill_diagonal_(0)
    total.mul_(size ** 0.75).div_(alone[:, None] ** 0.875).div_(alone[None] ** 0.875).clamp_min_(1).log_()
    torch.manual_seed(0)
    u, s, _ = torch.svd_lowrank(total, q=dims + 32, niter=4)
    return u[:, :dims] * s[:dims].sqrt()


def load(torch, paths, device):
    parts = [np.load(p) for p in paths]
    data, tokens = {}, parts[0]["tokens"].tobytes().decode().split("\n")
    for key in ("repo", "place", "asked"):
        joined, base = [], 0
        for part in parts:
            joined.append(part[key].astype(np.int64) + base)
            base = joined[-1].max() + 1
        data[key] = torch.as_tensor(np.concatenate(joined), device=device)
    data["kind"] = np.concatenate([p["kind"] for p in parts])
    for role in ROLES:
        data[role] = Bag(torch, device, np.concatenate([p[role + "_ids"] for p in parts]), np.concatenate([p[role + "_lens"] for p in parts]), LIMITS[role], len(tokens))
    return data, tokens


class Batches:
    """Numbers of pairs for a step: a few repositories, pairs of each drawn without repeats, kinds as often as they are wanted."""

    def __init__(self, repo, kind, options):
        self.random = np.random.default_rng(options["seed"])
        self.options = options
        wanted = np.array([options[k] for k in KINDS])[kind]
        self.members = [(np.flatnonzero(repo == r), wanted[repo == r]) for r in np.unique(repo)]
        self.members = [(m, w / w.sum()) for m, w in self.members if (w > 0).sum() > 50]
        share = np.array([min((w > 0).sum(), 3000) for _, w in self.members], float)
        self.share = share / share.sum()

    def __iter__(self):
        while True:
            chosen = self.random.choice(len(self.members), self.options["repositories"], replace=False, p=self.share)
            yield np.concatenate([self.random.choice(self.members[c][0], min(self.options["pairs"], int((self.members[c][1] > 0).sum()) * 2 // 3 + 1),
                                                     replace=False, p=self.members[c][1]) for c in chosen])


def loss_of(torch, net, data, index, options, generator):
    normalize, cross = torch.nn.functional.normalize, torch.nn.functional.cross_entropy
    whole = lambda drop: (torch.rand(len(index), 1, device=index.device, generator=generator) >= drop).float()
    query = normalize(net.part("query", data["query"].counts(index, options["query_drop"], generator)), dim=1)
    code = 0
    for role, drop, gone in (("path", 0.1, options["path_drop"]), ("symbol", 0.1, options["symbol_drop"]),
                             ("doc", options["body_drop"], 0.2), ("body", options["body_drop"], 0.0)):
        code = code + net.part(role, data[role].counts(index, drop, generator)) * whole(gone)
    logits = query @ normalize(code, dim=1).T * (options["scale"] * torch.exp(net.scale))
    masked = (data["place"][index][:, None] == data["place"][index]) | (data["asked"][index][:, None] == data["asked"][index])
    masked.fill_diagonal_(False)
    logits = logits.masked_fill(masked, -1e4)
    right = torch.arange(len(index), device=index.device)
    return (cross(logits, right) + cross(logits.T, right)) / 2


class Check:
    """Localisation on prepared snapshots, on the device: vectors alone and added to the lexical scores."""

    def __init__(self, torch, device, paths, cutter):
        self.torch, self.device, self.sets = torch, device, []
        for path in paths:
            cache = dict(np.load(path))
            bags = {}
            for role in ROLES:
                pieces = [cutter.cut(str(w)) for w in cache[role + "_words"]]
                ids, ends = cache[role + "_ids"], cache[role + "_ends"]
                flat = [[t for i in ids[a:b] for t in pieces[i]] for a, b in zip(ends[:-1], ends[1:])]
                limit = max(1, max(map(len, flat)))
                bags[role] = Bag(torch, device, np.array([t for f in flat for t in f], np.int32), np.array([len(f) for f in flat]), limit, len(cutter.place))
            lexical = cache["lexical"]
            linear = sum(part / np.maximum(part.max(1, keepdims=True), 1e-9) for part in lexical)
            self.sets.append((bags, torch.as_tensor(linear, device=device), torch.as_tensor(cache["gold"], device=device),
                              torch.as_tensor(cache["owner"].astype(np.int64), device=device)))

    def part(self, net, bags, roles):
        torch, out = self.torch, []
        size = len(bags[roles[0]].lens)
        for at in range(0, size, 4096):
            index = torch.arange(at, min(size, at + 4096), device=self.device)
            out.append(sum(net.part(role, bags[role].counts(index)) for role in roles))
        return torch.nn.functional.normalize(torch.cat(out), dim=1)

    def run(self, net, weights=(2.0, 4.0, 6.0), spreads=(0.3, 0.4, 0.6)):
        torch, places = self.torch, collections.defaultdict(list)
        with torch.no_grad():
            for bags, linear, gold, owner in self.sets:
                similar = self.part(net, bags, ROLES[:1]) @ self.part(net, bags, ROLES[1:]).T
                best = torch.full(gold.shape, -1.0, device=self.device)
                best.scatter_reduce_(1, owner.expand(len(gold), -1), similar, "amax")
                z = (best - best.mean(1, keepdim=True)) / (best.std(1, unbiased=False, keepdim=True) + 1e-6)
                for name, score in [("vectors", best)] + [(f"x{w:g}", linear + w * best) for w in weights] + [(f"z{w:g}", linear + w * z) for w in spreads]:
                    order = torch.argsort(score, dim=1, descending=True, stable=True)
                    hit = torch.gather(gold, 1, order)
                    places[name] += torch.where(hit.any(1), hit.int().argmax(1), 10**6).tolist()
        out = {}
        for name, p in places.items():
            p = np.array(p)
            out[name] = [round(float(x), 4) for x in ((p < 1).mean(), (p < 5).mean(), np.where(p < 100, 1 / (p + 1.0), 0).mean())]
        return out


def quality(found):
    """One number to keep the best step by: hit@5 and MRR, mean of the three best fusions, so that no single weight decides."""
    return float(np.mean(sorted(v[1] + v[2] for k, v in found.items() if k != "vectors")[-3:]))


def fit(args, options, torch):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options["seed"])
    torch.backends.cuda.matmul.allow_tf32 = True
    generator = torch.Generator(device=device).manual_seed(options["seed"])
    data, tokens = args.loaded or load(torch, args.data, device)
    args.loaded = data, tokens
    if args.check and not args.checker:
        args.checker = Check(torch, device, args.check, Cutter(tokens))
    count = len(tokens)
    seen = sum(torch.bincount(data[role].ids.long(), minlength=count) for role in ROLES)
    idf = torch.log(1 + len(data["repo"]) / seen.clamp_min(1)).clamp(0.05)
    first = first_rows(torch, data, count, options["dims"], options["init"], device, generator, options["init_scale"])
    net = model(torch, first, torch.log(idf).repeat(len(ROLES), 1))
    groups = [{"params": [net.rows], "lr": options["rate"], "weight_decay": options["decay"]},
              {"params": [net.log_weights], "lr": options["rate"] * options["weight_rate"], "weight_decay": 0.0},
              {"params": [net.mix, net.scale], "lr": options["rate"] * 3, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, [g["lr"] for g in groups], total_steps=options["steps"], pct_start=0.15)
    average = {k: v.detach().clone() for k, v in net.named_parameters()}
    batches, step, best = Batches(data["repo"].cpu().numpy(), data["kind"], options), 0, (-1.0, None, None)
    state = args.out / f"seed-{options['seed']}.pt"
    if state.exists():
        step, best = resume(torch, state, net, optimiser, schedule, average, generator, batches, options, best)
    running = 0.0
    for index in batches:
        if step >= options["steps"]:
            break
        loss = loss_of(torch, net, data, torch.as_tensor(index, device=device), options, generator)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        schedule.step()
        step += 1
        keep = min(options["average"], step / (step + 10))
        with torch.no_grad():
            for k, v in net.named_parameters():
                average[k].lerp_(v, 1 - keep)
        running = loss.detach() if step % options["every"] == 1 else 0.95 * running + 0.05 * loss.detach()
        if step % options["every"] == 0 or step == options["steps"]:
            best = checkpoint(torch, args, options, net, average, step, running, best)
            save(torch, state, net, optimiser, schedule, average, generator, batches, options, step, best)
    return best


def checkpoint(torch, args, options, net, average, step, running, best):
    """Looks at the averaged parameters; without anything to check on, the newest are the best."""
    own = {k: v.detach().clone() for k, v in net.named_parameters()}
    net.load_state_dict(average)
    found = args.checker.run(net) if args.checker else {}
    value = quality(found) if found else float(step)
    print(json.dumps({"step": step, "loss": round(float(running), 3), "value": round(value, 4), "mix": [round(m, 2) for m in net.mix.tolist()], **found}), flush=True)
    if value > best[0]:
        best = (value, {k: v.cpu().clone() for k, v in average.items()}, found)
    net.load_state_dict(own)
    return best


def save(torch, path, net, optimiser, schedule, average, generator, batches, options, step, best):
    part = path.with_suffix(".part")
    torch.save({"options": options, "net": net.state_dict(), "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict(), "average": average,
                "generator": generator.get_state(), "batches": batches.random.bit_generator.state, "step": step, "best": best}, part)
    part.rename(path)


def resume(torch, path, net, optimiser, schedule, average, generator, batches, options, best):
    state = torch.load(path, weights_only=False)
    if state["options"] != options:
        return 0, best
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    schedule.load_state_dict(state["schedule"])
    for k, v in state["average"].items():
        average[k].copy_(v)
    generator.set_state(state["generator"].cpu())
    batches.random.bit_generator.state = state["batches"]
    return state["step"], state["best"]


def export(found, tokens, path):
    part = {k: sum(f[k] for f in found).numpy() / len(found) for k in found[0]}
    Table.quantise(tokens, part["rows"], np.exp(part["log_weights"]), part["mix"]).write(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sub = commands.add_parser("pack")
    sub.add_argument("--pairs", type=Path, required=True)
    sub.add_argument("--out", type=Path, required=True)
    sub.add_argument("--tokens", type=int, default=29000)
    sub.add_argument("--vocabulary", type=Path, help="use these tokens, one a line, instead of counting")
    sub = commands.add_parser("fit")
    sub.add_argument("--data", type=Path, nargs="+", required=True)
    sub.add_argument("--out", type=Path, required=True)
    sub.add_argument("--check", type=Path, nargs="*", default=[])
    sub.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    sub.add_argument("--set", nargs="*", default=[], help="options: " + ", ".join(f"{k}={v}" for k, v in DEFAULTS.items()))
    args = parser.parse_args()
    if args.command == "pack":
        return pack(args)
    import torch
    args.out.mkdir(parents=True, exist_ok=True)
    args.loaded = args.checker = None
    options = dict(DEFAULTS)
    for item in args.set:
        key, _, value = item.partition("=")
        options[key] = type(DEFAULTS[key])(value)
    found = [fit(args, {**options, "seed": seed}, torch)[1] for seed in args.seeds]
    export(found, args.loaded[1], args.out / "code.vec")


if __name__ == "__main__":
    main()
