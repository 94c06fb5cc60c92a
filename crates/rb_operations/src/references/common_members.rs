//! Names that builtin types and the standard library's most used types have as members: `x.get` says nothing about what `x` is.

const COMMON: &str = "
acquire add add_argument append appendleft args as_integer_ratio as_posix assert_called assert_called_once
assert_called_once_with assert_called_with astimezone basename bit_length cache_clear call_args call_args_list
call_count called cancel capitalize casefold center chmod clear close closed code combine communicate compile
conjugate connect copy count critical cursor date datetime day days debug decode default default_factory
denominator difference difference_update dirname discard done dump dumps elements encode end endswith errno
error exception exists exit expandtabs expanduser extend extendleft fetchall fetchone file filename fileno
filter find findall finditer flush fold format format_map from_bytes fromhex fromisoformat fromkeys
fromtimestamp fullmatch func get get_nowait getvalue glob group groupdict groups handlers hex hour id imag
index info insert intersection intersection_update is_absolute is_alive is_dir is_file is_integer is_set
isalnum isalpha isascii isatty isdecimal isdigit isdisjoint isidentifier islower isnumeric isoformat
isprintable isspace issubset issuperset istitle isupper items iterdir join joinpath key keys keywords kill
kwargs level lineno ljust load loads log lower lstrip maketrans map match maxlen message method microsecond
microseconds minute mkdir mode month most_common move_to_end msg name newlines notify notify_all now numerator
open owner parent parents parse_args partition parts path pattern pid poll pop popitem popleft port pos put
put_nowait read read_bytes read_text readable readinto readline readlines real reason recv relative_to release
remove removeprefix removesuffix rename replace reset_mock resolve result return_value returncode reverse
rfind rindex rjust rmdir root rotate rpartition rsplit rstrip run search second seconds seek seekable send set
set_exception set_result setdefault shape shutdown side_effect signature size sort span split splitlines start
startswith stat status stderr stdin stdout stem step stop strftime string strip strptime sub submit subtract
suffix suffixes swapcase symmetric_difference symmetric_difference_update task_done tell terminate time
timestamp timetuple title to_bytes today tolist total_seconds touch translate truncate type tzinfo union
unlink update upper url user utcnow value values wait warn warning weekday with_name with_suffix
with_traceback writable write write_bytes write_text writelines year zfill
";

pub(crate) fn is_common_member(name: &str) -> bool {
    let is_special = name.starts_with("__") && name.ends_with("__");
    is_special || COMMON.split_whitespace().any(|common| common == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st2_common_members() {
        assert!(is_common_member("get") && is_common_member("zfill"));
        assert!(is_common_member("__init__"));
        assert!(!is_common_member("get_app_config") && !is_common_member("_"));
    }
}
