/** Passed on to every command, and nothing else: what programs need to work, and nothing that could be a secret. */
const PASSED: readonly string[] = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'COLUMNS', 'LINES', 'CI', 'NO_COLOR',
  'TMPDIR', 'TEMP', 'TMP', 'SOURCE_DATE_EPOCH', 'DEBIAN_FRONTEND', 'HERMES_RUN',
  // Interpreters, compilers and their managers.
  'PYENV_ROOT', 'PYENV_VERSION', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'PYTHONUNBUFFERED',
  'PYTHONDONTWRITEBYTECODE', 'PYTHONIOENCODING', 'PYTHONUTF8', 'NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR',
  'N_PREFIX', 'NODE_ENV', 'PNPM_HOME', 'CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'RUST_BACKTRACE', 'GOROOT',
  'GOPATH',
  'GOTOOLCHAIN', 'JAVA_HOME', 'RBENV_ROOT', 'RBENV_VERSION', 'GEM_HOME', 'GEM_PATH', 'ASDF_DIR', 'ASDF_DATA_DIR',
  'MISE_DATA_DIR', 'SDKMAN_DIR', 'DOTNET_ROOT',
  // Windows.
  'ALLUSERSPROFILE', 'APPDATA', 'COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH',
  'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES',
  'PROGRAMFILES(X86)', 'PSMODULEPATH', 'PUBLIC', 'SYSTEMDRIVE', 'SYSTEMROOT', 'USERDOMAIN', 'USERNAME', 'USERPROFILE',
  'WINDIR',
]
/** Where commands reach the network they need the files of certificates, and the way to it. */
const CERTIFICATES: readonly string[] = [
  'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO',
  'PIP_CERT',
]
const PROXIES: readonly string[] = [
  'HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'ftp_proxy',
  'all_proxy', 'no_proxy',
]

/** `named`: hosts that are named, by the proxy of hermes alone. */
export type ShownNetwork = boolean | 'named'

export interface PassList {
  network: ShownNetwork
  /** Names that the user's policy passes on besides. */
  passes?: (name: string) => boolean
}

/** What of an environment commands get (contract section 3 'commands'): a pass-list, so that new secrets stay out. */
export function passedOn(
  env: Readonly<Record<string, string | undefined>>, { network, passes = () => false }: PassList,
): Record<string, string> {
  // Windows has names without regard to case.
  const named = (name: string) => process.platform === 'win32' ? name.toUpperCase() : name
  const usual = new Set([...PASSED, ...(network === false ? [] : CERTIFICATES), ...(network === true ? PROXIES : [])])
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => {
    const [name, value] = entry
    return value !== undefined && (usual.has(named(name)) || /^LC_[A-Z]+$/.test(name) || passes(name))
  }))
}
