/** What a program in the sandbox reaches; all paths canonical. */
export interface SeatbeltAccess {
  /** Read and written. */
  writable: readonly string[]
  /** These, and what is below them, are not changed, also where they are in what is writable. */
  protected: readonly string[]
  /** These, and what is below them, are neither read nor changed. */
  hidden: readonly string[]
  /** Read besides the system's directories. */
  readable: readonly string[]
  network: boolean
}

/** Read whatever a program does: the system, and what it links programs with. */
const SYSTEM = [
  '/System', '/usr', '/bin', '/sbin', '/opt/homebrew', '/opt/local', '/Library/Apple', '/Library/Developer',
  '/Library/Frameworks', '/Library/Java', '/Library/Preferences/Logging', '/Applications/Xcode.app',
  '/private/etc/localtime', '/private/etc/services', '/private/etc/protocols', '/private/etc/shells',
  '/private/var/db/timezone', '/private/var/db/dyld', '/private/var/select',
]
const NETWORK_SETTINGS = [
  '/private/etc/hosts', '/private/etc/resolv.conf', '/private/etc/ssl', '/private/var/run/resolv.conf',
]
/** Services of the system that nearly every program asks: accounts, logging, preferences. */
const SERVICES = [
  'com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership', 'com.apple.logd',
  'com.apple.system.logger', 'com.apple.system.notification_center', 'com.apple.cfprefsd.agent',
  'com.apple.cfprefsd.daemon',
]
const NETWORK_SERVICES = [
  'com.apple.dnssd.service', 'com.apple.SystemConfiguration.configd', 'com.apple.trustd.agent', 'com.apple.trustd',
]
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper']

/**
 * The profile of macOS's sandbox (seatbelt), for `sandbox-exec -p`: all is denied but what is named. Of the rules that
 * fit, the last one counts, so what is protected and hidden stands below what is allowed. Not tried on a Mac by us; the
 * text is held by a golden.
 */
export function seatbeltProfile({ writable, protected: kept, hidden, readable, network }: SeatbeltAccess): string {
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-sem)',
    '(allow file-read-metadata)',
    `(allow mach-lookup${filters('global-name', [...SERVICES, ...(network ? NETWORK_SERVICES : [])])})`,
    `(allow file-read*${filters('literal', ['/'])}`
      + `${filters('subpath', network ? [...SYSTEM, ...NETWORK_SETTINGS] : SYSTEM)})`,
    `(allow file-read* file-write* file-ioctl${filters('literal', DEVICES)})`,
    ...(readable.length > 0 ? [`(allow file-read*${filters('subpath', readable)})`] : []),
    `(allow file-read* file-write*${filters('subpath', writable)})`,
    // The directories themselves stay where they are, or what is protected in them would move along.
    `(deny file-write-unlink${filters('literal', writable)})`,
    ...denied('file-write*', kept), ...denied('file-read* file-write*', hidden),
    ...(network ? ['(allow network*)', '(allow system-socket)'] : []),
    '',
  ].join('\n')
}

function denied(operations: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`(deny ${operations}${filters('subpath', paths)}${filters('literal', paths)})`]
}

/** ` (literal "/dev/null") (literal "/dev/zero")`: what a rule is for. */
function filters(kind: string, values: readonly string[]): string {
  return values.map(value => ` (${kind} ${quoted(value)})`).join('')
}

/** A string of the profile's language, which is Scheme's. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
