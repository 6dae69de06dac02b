//! Small changes to the sources of the C++ library, made when it is compiled: several threads may use the standard streams,
//! as the standard has it (`runtime/cxx/stream_guard.h` says more).

/// A place in a file of the library that becomes another.
pub struct Edit {
    /// The file, below the folder of the sources.
    pub file: &'static str,
    /// What stands there.
    pub from: &'static str,
    /// What is to stand there.
    pub to: &'static str,
    /// How often it stands there.
    pub times: usize,
}

const OSTREAM: &str = "libcxx/include/__ostream/basic_ostream.h";
const ISTREAM: &str = "libcxx/include/istream";
const IOS: &str = "libcxx/src/ios.cpp";
const IOS_HEADER: &str = "libcxx/include/ios";
const IOSTREAM: &str = "libcxx/src/iostream.cpp";

/// All changes.
pub const ALL: &[Edit] = &[
    Edit {
        file: OSTREAM,
        from: "#include <__config>\n",
        to: "#include <__config>\n#include <__selvedge/stream_guard.h>\n",
        times: 1,
    },
    // Every function that writes makes a sentry first. The guard is its first member: it is released last.
    Edit {
        file: OSTREAM,
        from: "::sentry {\n  bool __ok_;\n",
        to: "::sentry {\n  __stream_guard __guard_;\n  bool __ok_;\n",
        times: 1,
    },
    Edit {
        file: OSTREAM,
        from: " : __ok_(false), __os_(__os) {",
        to: " : __guard_(__os), __ok_(false), __os_(__os) {",
        times: 1,
    },
    Edit {
        file: ISTREAM,
        from: "#  include <__config>\n",
        to: "#  include <__config>\n#  include <__selvedge/stream_guard.h>\n",
        times: 1,
    },
    Edit {
        file: ISTREAM,
        from: "::sentry {\n  bool __ok_;\n",
        to: "::sentry {\n  __stream_guard __guard_;\n  bool __ok_;\n",
        times: 1,
    },
    Edit {
        file: ISTREAM,
        from: "bool __noskipws) : __ok_(false) {",
        to: "bool __noskipws) : __guard_(__is), __ok_(false) {",
        times: 1,
    },
    // Functions that count characters set the count to zero before they make a sentry.
    Edit {
        file: ISTREAM,
        from: "\n  __gc_                     = 0;\n",
        to: "\n  __stream_guard __guard(*this);\n  __gc_ = 0;\n",
        times: 11,
    },
    Edit {
        file: IOS,
        from: "  static bool previous_state = true;\n",
        to: "  bool& previous_state = __selvedge_synchronised;\n",
        times: 1,
    },
    Edit {
        file: IOS,
        from: "_LIBCPP_BEGIN_NAMESPACE_STD\n",
        to: "extern \"C\" bool __selvedge_synchronised;\n_LIBCPP_BEGIN_NAMESPACE_STD\n",
        times: 1,
    },
    // Every formatted output puts the width back to zero, which it mostly is.
    Edit {
        file: IOS_HEADER,
        from: "  __width_       = __wide;\n",
        to: "  if (__r != __wide)\n    __width_ = __wide;\n",
        times: 1,
    },
    // The fill character is kept from the beginning, not from the first output on.
    Edit {
        file: IOSTREAM,
        from: "  std::construct_at(&stream.value, &data.buffer);\n",
        to: "  std::construct_at(&stream.value, &data.buffer);\n  (void)stream.value.fill();\n",
        times: 1,
    },
];

/// The files that are changed.
pub fn files() -> impl Iterator<Item = &'static str> {
    ALL.iter()
        .map(|edit| edit.file)
        .scan("", |last, file| Some((std::mem::replace(last, file) != file).then_some(file)))
        .flatten()
}

/// The changed text of a file. Another release of the library may not have the places any more, which is an error.
pub fn edited(file: &str, mut text: String) -> Result<String, String> {
    for edit in ALL.iter().filter(|edit| edit.file == file) {
        let found = text.matches(edit.from).count();
        if found != edit.times {
            return Err(format!("{file} has {:?} {found} times instead of {}\n", edit.from, edit.times));
        }
        text = text.replace(edit.from, edit.to);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_changed_once() {
        assert_eq!(files().collect::<Vec<_>>(), [OSTREAM, ISTREAM, IOS, IOS_HEADER, IOSTREAM]);
    }

    #[test]
    fn a_place_that_is_not_there_is_an_error() {
        let text = "_LIBCPP_BEGIN_NAMESPACE_STD\n  static bool previous_state = true;\n";
        assert!(edited(IOS, text.to_owned()).unwrap().contains("bool& previous_state"));
        assert!(edited(IOS, "something else".to_owned()).unwrap_err().contains(IOS));
    }
}
