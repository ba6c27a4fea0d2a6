# CURL::jumps and LibArchive::jumps: the headers, and the functions that src/model/download calls as
# jumps, which load_download_libraries() leads there: linking them costs each start of a program 6 ms,
# and only models from the network need them.
find_path(OPBENCH_INCLUDE_curl curl/curl.h REQUIRED)
opbench_loaded_library(curl
  curl_global_init curl_easy_init curl_easy_cleanup curl_easy_setopt curl_easy_getinfo
  curl_easy_perform curl_easy_strerror curl_slist_append curl_slist_free_all)
target_include_directories(curl_jumps SYSTEM PUBLIC ${OPBENCH_INCLUDE_curl})
add_library(CURL::jumps ALIAS curl_jumps)

find_path(OPBENCH_INCLUDE_archive archive.h REQUIRED)
opbench_loaded_library(archive
  archive_read_new archive_read_free archive_read_open_filename archive_read_next_header
  archive_read_data_block archive_read_support_filter_gzip archive_read_support_filter_bzip2
  archive_read_support_filter_xz archive_read_support_filter_zstd archive_read_support_format_tar
  archive_read_support_format_zip archive_error_string archive_entry_pathname
  archive_entry_pathname_utf8 archive_entry_filetype archive_entry_size archive_entry_size_is_set
  archive_entry_hardlink archive_entry_symlink archive_filter_bytes)
target_include_directories(archive_jumps SYSTEM PUBLIC ${OPBENCH_INCLUDE_archive})
add_library(LibArchive::jumps ALIAS archive_jumps)
