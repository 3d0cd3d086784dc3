/** Variables that decide which program starts, which code it loads first, whom it trusts, or where it reads its settings. */
const loaders: readonly RegExp[] = [
  /^(PATH|SHELL|IFS|ENV|CLASSPATH|EDITOR|VISUAL|PAGER|BROWSER|ELECTRON_RUN_AS_NODE)$/,
  // The dynamic linker, and what the C library opens by a variable.
  /^(LD|DYLD)_/,
  /^(GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|GETCONF_DIR)$/,
  // Shells. A function that bash imports replaces a program of its name.
  /^(BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS4|ZDOTDIR)$/,
  // The runtimes that agent clients are written for; NODE_ENV is an application's own.
  /^NODE_(?!ENV$)|^(BUN|DENO|NPM_CONFIG)_/,
  /^(PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE)|PERL5?(LIB|OPT|DB)|RUBY(LIB|OPT))$/,
  /^(JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS$/,
  // Certificates that are trusted, and where the keys of connections are written.
  /^(SSL_CERT_(FILE|DIR)|SSLKEYLOGFILE|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)$|^OPENSSL_/,
  // Settings of programs: those of a client, and git's, may name a command to run.
  /^XDG_|^GIT_(?!AUTHOR_|COMMITTER_)|^(CLAUDE|CODEX|GEMINI|OPENCODE)_.*(HOME|CONFIG|DIR|FILE|PATH|CONTENT|SHELL|PREFIX)/,
]

/** The names among `variables` that give their author access to the rest of the environment, in alphabetical order. */
export const loaderVariablesIn = (variables: Readonly<Record<string, string>>): string[] =>
  Object.keys(variables)
    .filter((name) => loaders.some((loader) => loader.test(name.toUpperCase())))
    .sort()
