import { ANY } from '../shell/taint.js'

/** Normalizes `//`, `.` and `..` lexically; a home directory becomes `~`. */
export function plainPath(path: string): string {
  const isAbsolute = path.startsWith('/')
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name !== '..' || !isAbsolute) names.push(name)
  }
  const plain = (isAbsolute ? '/' : '') + names.join('/')
  return plain.replace(/^(?:~\w+|\/root|\/(?:home|Users)\/[^/*?]+)(?=\/|$)/, '~') || '.'
}

const SYSTEM =
  new RegExp(
    String.raw`^/(?:etc|usr|s?bin|lib(?:32|64|x32)?|boot|dev|proc|sys|opt|srv|run|var|home|Users|root`
    + String.raw`|System|Library|Applications|private|mnt|media|snap|nix)?(?:/|\*|$)`,
  )
const NOT_SYSTEM =
  new RegExp(
    String.raw`^/(?:dev/(?:null|zero|full|stdin|stdout|stderr|tty|fd|shm|random|urandom)(?:/|$)`
    + String.raw`|var/(?:tmp|folders|www)/|(?:private|proc/self/fd|run/user|mnt|media|srv)/.|opt/[^/]+/.`
    + String.raw`|home/[^/]+/.)`,
  )

/** Whether a path belongs to the system, outside any project. */
export function isSystemPath(path: string): boolean {
  const plain = plainPath(path.replace(/^\/\*+/, '/*'))
  return /^\/\*?$/.test(plain) || (SYSTEM.test(plain) && !NOT_SYSTEM.test(plain))
}

/** Whether a path is the home directory, or means everything in it. */
export function isHome(path: string): boolean {
  return /^~(?:\/(?:\.?\*|\.\[.*|\{.*)?)?$/.test(plainPath(path))
}

const STARTUP_FILES = [
  /(?:^|\/)\.(?:bashrc|bash_(?:profile|login|logout|aliases)|profile|zshrc|zshenv|zprofile|zlogin|kshrc|t?cshrc)$/,
  /(?:^|\/)\.(?:login|inputrc|xinitrc|xprofile|pam_environment|gitconfig|npmrc|pypirc|netrc)$/,
  /(?:^|\/)\.(?:ssh(?:\/|$)|config\/(?:autostart|systemd|fish|git)(?:\/|$)|gnupg\/|aws\/|kube\/config)/,
  /(?:^|\/)Library\/Launch(?:Agents|Daemons)(?:\/|$)/,
  /(?:^|\/)\.git\/(?:hooks(?:\/|$)|config$)/,
]

/** Whether a file controls the start of shells, sessions, editors or git. */
export function isStartupFile(path: string): boolean {
  const plain = plainPath(path)
  return STARTUP_FILES.some((pattern) => pattern.test(plain))
}

const SECRET_FILES = [
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:netrc|pgpass|git-credentials|my\.cnf|vault-token))$/,
  /(?:^|\/)(?:shadow-?|gshadow|master\.passwd|sudoers)$/,
  /(?:^|\/)\.(?:ssh\/(?!(?:config|known_hosts)$)|aws\/credentials|gnupg\/|kube\/config|docker\/config\.json)/,
  /(?:^|\/)\.config\/(?:gcloud|gh)\//,
  /^~\/\.(?:ssh|gnupg|aws)$/,
  /^\/etc\/(?:ssl\/private|ssh\/ssh_host_\w+_key)/,
  /^\/proc\/(?:self|\d+)\/environ$/,
]

/** Whether a file holds private keys, passwords or tokens. */
export function isSecretFile(path: string): boolean {
  const plain = plainPath(path)
  return !plain.endsWith('.pub') && SECRET_FILES.some((pattern) => pattern.test(plain))
}

/** Whether a file has a project's settings, usually with secrets. */
export function isEnvFile(path: string): boolean {
  return /(?:^|\/)\.env(?:\.[\w-]+)?$/.test(path) && !/\.(?:example|sample|template|dist)$/.test(path)
}

export function isDisk(path: string): boolean {
  return (
    /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|loop|md|dm-|mapper\/|k?mem$|port$|zd|nbd|sr\d)/.test(plainPath(path))
    || /^\\\\\.\\PhysicalDrive/i.test(path)
  )
}

/** Whether a path means everything in the current directory or above. */
export function isEverything(path: string): boolean {
  const plain = plainPath(path)
  return /^(?:\.|\*|\.\*|\.\[.*|(?:\.\.\/)*\.\.(?:\/\*)?)$/.test(plain) || plain === `${ANY}/*` || plain === '*.*'
}
