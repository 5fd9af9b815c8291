// Databases of SQLite; see https://www.sqlite.org/cintro.html.
#include <sqlite3.h>

// sqlite3_db_config() of a flag: its list of arguments is open, and Swift does not import that.
static inline int headwind_sqlite_set_flag(sqlite3 *database, int flag, int value) {
    return sqlite3_db_config(database, flag, value, (int *)0);
}

// sqlite3_bind_text() of a text that SQLite copies: SQLITE_TRANSIENT is a cast, which Swift does not import.
static inline int headwind_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text) {
    return sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}
