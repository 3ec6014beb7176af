import { trustedPath } from './trusted-path.js'

/** Environment of a program; an `undefined` variable is not set. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Variables that git, its helpers and the other programs of hermes need; none names code to load. */
const PASSED = new Set([
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'COLUMNS', 'LINES', 'CI', 'NO_COLOR',
  'TMPDIR', 'TEMP', 'TMP', 'SOURCE_DATE_EPOCH', 'EMAIL', 'NAME', 'HERMES_HOME', 'HERMES_RUN',
  // Displays, and key agents.
  'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GNUPGHOME',
  'GPG_TTY', 'GPG_AGENT_INFO',
  // The user's git settings, which name no repository.
  'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_COUNT', 'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM', 'GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_DATE', 'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL', 'GIT_COMMITTER_DATE', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH',
  // Variables by which users control common hooks.
  'HUSKY', 'SKIP', 'PRE_COMMIT_HOME', 'LEFTHOOK',
  'HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'ALL_PROXY', 'NO_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR',
  // Windows.
  'ALLUSERSPROFILE', 'APPDATA', 'COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH',
  'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES',
  'PROGRAMFILES(X86)', 'PUBLIC', 'SYSTEMDRIVE', 'SYSTEMROOT', 'USERDOMAIN', 'USERNAME', 'USERPROFILE', 'WINDIR',
])
const PASSED_ALIKE = /^(?:LC_|XDG_|GIT_CONFIG_(?:KEY|VALUE)_\d+$)/

/** Variables that make interpreters, shells, linkers or git run arbitrary code. */
const LOADERS = new RegExp(`^(?:${[
  'LD_.*', 'DYLD_.*', 'GCONV_PATH', 'BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'PROMPT_COMMAND', 'BASH_FUNC_.*',
  'ZDOTDIR', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'PYTHON(?:PATH|HOME|STARTUP|USERBASE|BREAKPOINT|INSPECT)',
  'PERL5?(?:LIB|OPT|DB)', 'RUBY(?:OPT|LIB)', 'LUA_(?:INIT|PATH|CPATH).*', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS', 'GIT_(?!CONFIG_|AUTHOR_|COMMITTER_|CEILING_|DISCOVERY_|SSL_).*', 'EDITOR_OPTS', 'LESSOPEN',
  'LESSCLOSE', 'npm_config_(?:script_shell|node_options|shell|git|init_module|globalconfig|userconfig)',
].join('|')})$`)

/** Options of Node that only set a size or an output; all others could name a file to run. */
const HARMLESS_OPTION = new RegExp(`^--(?:${[
  'max-[a-z-]+', 'stack-trace-limit', 'no-warnings', 'no-deprecation', 'use-(?:openssl|system)-ca',
  'enable-source-maps', 'dns-result-order',
].join('|')})(?:=\\S*)?$`)

/**
 * Environment for hermes' own programs (git, ps, container clients): the harmless part of hermes' environment, with the
 * trusted part of PATH.
 */
export function ownEnvironment(changes: Environment = {}): Record<string, string | undefined> {
  const isPassed = (name: string): boolean => PASSED.has(name.toUpperCase()) || PASSED_ALIKE.test(name)
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassed(name)))
  return { ...trustedEnvironment(kept), ...changes }
}

/**
 * Environment for programs of the user that run outside any sandbox: with the trusted part of PATH, and without
 * variables that make interpreters load code.
 */
export function trustedEnvironment<Value extends string | undefined>(
  env: Readonly<Record<string, Value>>,
): Record<string, Value | string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]): [string, Value | string][] => {
    if (typeof value !== 'string') return [[name, value]]
    // Windows ignores case in names.
    if (name.toUpperCase() === 'PATH') return [[name, trustedPath(value)]]
    if (name === 'NODE_OPTIONS') return optionsOf(name, value)
    return LOADERS.test(name) ? [] : [[name, value]]
  }))
}

/** Node's options without those that could name code. */
function optionsOf(name: string, value: string): [string, string][] {
  const kept = value.split(/\s+/).filter(word => HARMLESS_OPTION.test(word)).join(' ')
  return kept === '' ? [] : [[name, kept]]
}

/** Value of HERMES_RUN for a run; nested runs append theirs, so that both find their processes. */
export function nestedRun(run: string): string {
  const outer = process.env['HERMES_RUN']
  return outer === undefined ? run : `${outer}:${run}`
}
