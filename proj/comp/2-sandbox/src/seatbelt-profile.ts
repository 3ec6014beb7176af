/** What a seatbelt profile is made of; all paths canonical. */
export interface SeatbeltPlace {
  /** Read and written. */
  writable: readonly string[]
  /** Of these, and what is below them, nothing is changed. */
  protected: readonly string[]
  /** Of these, and what is below them, nothing is read either. */
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
 * The profile for `sandbox-exec -p`: all is denied but what is named. Of rules that fit, the last one counts. Not tried
 * on a Mac by us; the text is held by a golden.
 */
export function seatbeltProfile({ writable, protected: kept, hidden, readable, network }: SeatbeltPlace): string {
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-sem)',
    '(allow file-read-metadata)',
    `(allow mach-lookup${names('global-name', [...SERVICES, ...(network ? NETWORK_SERVICES : [])])})`,
    `(allow file-read*${names('literal', ['/'])}`
      + `${names('subpath', network ? [...SYSTEM, ...NETWORK_SETTINGS] : SYSTEM)})`,
    `(allow file-read* file-write* file-ioctl${names('literal', DEVICES)})`,
    ...(readable.length > 0 ? [`(allow file-read*${names('subpath', readable)})`] : []),
    `(allow file-read* file-write*${names('subpath', writable)})`,
    // The directories themselves stay where they are, or what is protected in them would move along.
    `(deny file-write-unlink${names('literal', writable)})`,
    ...denied('file-write*', kept), ...denied('file-read* file-write*', hidden),
    ...(network ? ['(allow network*)', '(allow system-socket)'] : []),
    '',
  ].join('\n')
}

function denied(operations: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`(deny ${operations}${names('subpath', paths)}${names('literal', paths)})`]
}

function names(filter: string, values: readonly string[]): string {
  return values.map(value => ` (${filter} ${quoted(value)})`).join('')
}

/** A string of the profile's language, which is Scheme's. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
