import { expect, test } from 'vitest'

import { loaderVariablesIn } from './loader-variables.ts'

const found = (...names: string[]) => loaderVariablesIn(Object.fromEntries(names.map((name) => [name, 'x'])))

test('a variable that selects a program, its libraries, its trusted certificates or its settings file is found', () => {
  const loaders = [
    'PATH',
    'Path',
    'LD_PRELOAD',
    'LD_AUDIT',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'GLIBC_TUNABLES',
    'GCONV_PATH',
    'HOSTALIASES',
    'BASH_ENV',
    'ENV',
    'BASH_FUNC_codex%%',
    'SHELLOPTS',
    'PS4',
    'ZDOTDIR',
    'SHELL',
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_EXTRA_CA_CERTS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'npm_config_script_shell',
    'BUN_OPTIONS',
    'DENO_DIR',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PERL5OPT',
    'PERL5LIB',
    'PERLLIB',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'CLASSPATH',
    'SSL_CERT_FILE',
    'SSLKEYLOGFILE',
    'OPENSSL_CONF',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_SHELL_PREFIX',
    'CODEX_HOME',
    'OPENCODE_CONFIG',
    'OPENCODE_CONFIG_CONTENT',
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    'XDG_CONFIG_HOME',
    'GIT_SSH_COMMAND',
    'GIT_EXEC_PATH',
    'EDITOR',
    'PAGER',
  ]
  expect(found(...loaders)).toEqual([...loaders].sort())
})

test('a variable of the application itself is not reported', () => {
  const own = ['NODE_ENV', 'DEBUG', 'DATABASE_URL', 'API_PATH', 'MY_LD_PRELOAD', 'PYTHONUNBUFFERED', 'GIT_AUTHOR_NAME']
  expect(found(...own, 'MAX_THINKING_TOKENS', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'HF_HOME', 'EDITORIAL')).toEqual([])
})
