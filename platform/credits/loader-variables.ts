/** Variables that select a program, the code it loads first, the certificates it trusts, or its settings file. */
const loaders: readonly RegExp[] = [
  /^(PATH|SHELL|IFS|ENV|CLASSPATH|EDITOR|VISUAL|PAGER|BROWSER|ELECTRON_RUN_AS_NODE)$/,
  // The dynamic linker, and files that the C library opens by a variable.
  /^(LD|DYLD)_/,
  /^(GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|GETCONF_DIR)$/,
  // Shells. Bash imports functions from variables, and such a function replaces the program of the same name.
  /^(BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS4|ZDOTDIR)$/,
  // The runtimes of agent clients. NODE_ENV belongs to the application.
  /^NODE_(?!ENV$)|^(BUN|DENO|NPM_CONFIG)_/,
  /^(PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE)|PERL5?(LIB|OPT|DB)|RUBY(LIB|OPT))$/,
  /^(JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS$/,
  // Trusted certificates, and files that receive the keys of connections.
  /^(SSL_CERT_(FILE|DIR)|SSLKEYLOGFILE|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)$|^OPENSSL_/,
  // Settings of programs: those of a client, and of git, can name a command to run.
  /^XDG_|^GIT_(?!AUTHOR_|COMMITTER_)|^(CLAUDE|CODEX|GEMINI|OPENCODE)_.*(HOME|CONFIG|DIR|FILE|PATH|CONTENT|SHELL|PREFIX)/,
]

/** The names in `variables` that would expose the rest of the environment to their author, in alphabetical order. */
export const loaderVariablesIn = (variables: Readonly<Record<string, string>>): string[] =>
  Object.keys(variables)
    .filter((name) => loaders.some((loader) => loader.test(name.toUpperCase())))
    .sort()
