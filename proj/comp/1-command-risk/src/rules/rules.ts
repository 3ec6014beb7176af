import type { Call, Rule } from '../commands/call.js'
import { isEverything, isHome, isSystemPath } from '../commands/paths.js'
import { hasLong, readOptions } from '../commands/read-options.js'
import { downloadTarget } from '../commands/text-tools.js'
import type { DangerName } from '../dangers.js'
import { PROCESSES, REMOTE } from '../shell/taint.js'
import { FILE_RULES } from './files.js'
import { gitDanger } from './git.js'
import { DATABASE_CLIENTS, sqlClient } from './sql.js'
import { targetDanger } from './targets.js'
import { addTo } from '../../../0-text/src/index.js'

const chmod: Rule = ({ args }) => {
  // A mode may begin with a dash: `-x`.
  const plain = args.filter((arg) => !/^-(?:[RvcfHLP]+|-\w[\w-]*(?:=.*)?|-)$/.test(arg))
  const [mode = '', ...paths] = plain
  const options = readOptions(args.filter((arg) => !plain.includes(arg)))
  if (/^\d+$/.test(mode)) {
    const digits = mode.padStart(4, '0').slice(-4)
    if (/^[^1357].*[2367]$/.test(digits)) return 'world-writable permissions'
    if (/^[2-9]/.test(digits)) return 'set-uid permissions'
  } else {
    const parts = mode.split(',')
    if (parts.some((part) => /^[ugoa]*[oa][ugoa]*[+=][rwxXst]*w/.test(part))) return 'world-writable permissions'
    if (parts.some((part) => /^[ugoa]*[+=]\w*s/.test(part))) return 'set-uid permissions'
  }
  if (
    (options.short.has('R') || hasLong(options, 'recursive'))
    && /^(?:0*0|a?[-=](?:r?w?x?)?$|a?-\w+)$/.test(mode)
    && paths.some((path) => isEverything(path) || isHome(path))
  )
    return 'permission change in a system path'
  return paths.some((path) => isHome(path) || isSystemPath(path)) ? 'permission change in a system path' : undefined
}

const chown: Rule = ({ args }) => {
  const options = readOptions(args, ['from', 'reference'])
  const [owner = '', ...paths] = options.operands
  const isRecursive = options.short.has('R') || hasLong(options, 'recursive')
  if (paths.some((path) => isHome(path) || isSystemPath(path))) return 'permission change in a system path'
  return isRecursive && /^(?:root|0|nobody)(?:[:.]|$)/.test(owner) ? 'permission change in a system path' : undefined
}

const PERMISSION_RULES: Readonly<Record<string, Rule>> = { chmod, 'chown chgrp': chown }

const FORCED = /(?:^|\s)-(?:9|KILL|SIGKILL|s\s*(?:9|KILL|SIGKILL))\b|--signal[= ](?:9|KILL|SIGKILL)/

const kill: Rule = ({ args }) => {
  const signals = args.filter((arg) => arg.startsWith('-'))
  const targets = args.filter(
    (arg, at) => !/^-(?:\d{1,2}|[A-Z]\w*|s|n|l|L)$/.test(arg) && !/^-[sn]$/.test(args[at - 1] ?? '') && arg !== '--',
  )
  const last = args.at(-1)
  return (FORCED.test(signals.join(' ')) && targets.some((target) => target.includes(PROCESSES)))
    || ((last === '-1' || last === '0') && args.length > 1)
    || (targets.includes('1') && !signals.includes('-0') && !signals.includes('-l'))
    ? 'kill of many processes'
    : undefined
}

/** Runs what it reads or is given. */
const invokeExpression: Rule = ({ args, stdin }) =>
  [...args, stdin].some((text) => text.includes(REMOTE)) ? 'remote code' : undefined

const SHELL = /(?:^|[\s/:,"'])(?:(?:ba|z|k|da|c)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)(?:$|[\s,"'])/

/** Programs that connect a remote machine to a program here. */
const netcat: Rule = ({ args, stdin }) => {
  const runs = args.some(
    (arg, at) => /^-\w*[ec]$|^--(?:sh-)?exec/.test(arg) && SHELL.test(` ${args.slice(at).join(' ')}`),
  )
  return runs || /\$\s/.test(stdin) ? 'reverse shell' : undefined
}

/** Programs of other kinds with a rule of their own. */
const OTHER_RULES: Readonly<Record<string, Rule>> = {
  kill, 'iex invoke-expression': invokeExpression, 'nc ncat netcat': netcat,
  'curl wget': (call) => targetDanger(downloadTarget(call)), 'git hub': gitDanger,
}

/** Programs whose every call does it, but for a question about the program itself; also cmdlets of PowerShell. */
const ALWAYS: Partial<Readonly<Record<DangerName, string>>> = {
  'recursive delete': 'rimraf',
  'mass delete': 'del-cli tmpreaper tmpwatch',
  'disk format': 'mkfs newfs mke2fs mkswap mkdosfs mkntfs blkdiscard tune2fs resize2fs pvcreate pvremove lvremove '
    + 'vgremove clear-disk format-volume initialize-disk remove-partition',
  'secure erase': 'shred srm wipe scrub',
  'kill of many processes': 'killall5',
  'system shutdown': 'reboot halt poweroff stop-computer restart-computer',
  'service stop': 'stop-service remove-service',
  'system setting': 'insmod rmmod modprobe setenforce swapoff ifdown set-executionpolicy set-mppreference',
  'account change': 'useradd adduser userdel deluser usermod groupadd groupdel groupmod gpasswd chpasswd vipw newusers '
    + 'new-localuser set-localuser remove-localuser add-localgroupmember',
  'scheduled job change': 'atrm register-scheduledtask unregister-scheduledtask',
  'traces removed': 'clear-eventlog clear-history',
  'SQL DROP': 'dropdb dropuser pg_dropcluster',
}

/** So much is compared with patterns; no command that a person reads is longer. */
const MOST_MATCHED = 3000

/** Programs that do it where their arguments, joined by blanks, match. */
const WHERE: readonly (readonly [programs: string, pattern: RegExp, danger: DangerName])[] = [
  ['del erase rd remove-item', /(?:^|\s)(?:\/[sqf]|-(?:r|fo)\w*)\b|\*/i, 'recursive delete'],
  ['fallocate', /-l\s*\d+(?:T|\d{2}G|\d{3,}G)/i, 'disk filling'],
  ['wipefs', /-\w*[ao]|--all|--offset|--force/, 'disk format'],
  [
    'fdisk sfdisk gdisk sgdisk cfdisk parted',
    /(?:^|\s)(?:mk|rm|resize|-Z|--zap)|^(?!.*(?:^|\s)(?:-[lpvVhsd]|--(?:list|print|version|help|dump)|print)(?:\s|$))/,
    'disk format',
  ],
  ['cryptsetup', /\b(?:luksFormat|erase|luksErase|luksKillSlot|reencrypt|luksRemoveKey)\b/, 'disk format'],
  ['zpool zfs', /^(?:destroy|labelclear|rollback)\b/, 'disk format'],
  ['zpool', /^create\b/, 'disk format'],
  ['diskutil', /^(?:erase|partition|zero|secureErase|reformat|apfs delete)/i, 'disk format'],
  ['setfacl', /(?:^|[ ,])(?:d:)?o(?:ther)?::?[rx-]*w/, 'world-writable permissions'],
  ['setcap', /cap_|(?:^|\s)all=ep/, 'set-uid permissions'],
  [
    'killall pkill skill',
    new RegExp(
      String.raw`^(?!.*(?:^|\s)-l\b).*(?:${FORCED.source}`
      + String.raw`|(?:^|\s)(?:-[uUGgt]\b|--(?:euid|uid|user|terminal)\b|\.\*?(?:\s|$)|\.\+|-v\b|--inverse))`,
    ),
    'kill of many processes',
  ],
  ['stop-process', /^$|-force/i, 'kill of many processes'],
  ['systemctl', /(?:^|\s)(?:poweroff|reboot|halt|kexec|suspend|hibernate|soft-reboot)\b/, 'system shutdown'],
  ['systemctl', /(?:^|\s)(?:stop|disable|mask|kill|isolate|revert|set-default|emergency|rescue)\b/, 'service stop'],
  ['shutdown', /^(?!(?:-c|--help|--version|--show|--no-wall)$)/, 'system shutdown'],
  ['init telinit', /^[06s1]$/i, 'system shutdown'],
  ['service rc-service', /\s(?:stop|disable)\b|--full-restart/, 'service stop'],
  ['launchctl', /^(?:unload|remove|bootout|disable|kill|stop)\b/, 'service stop'],
  ['sysctl', /(?:^|\s)(?:-w|--write|-p|--load|--system)\b|\w=/, 'system setting'],
  ['mount', /remount|--bind|--move|-o\s*\S*rw|(?:^|\s)\/dev\/(?!shm)/, 'system setting'],
  ['iptables ip6tables', /(?:^|\s)-(?:[FXZPDAIR]|-(?:flush|delete|policy|append|insert|replace)\S*)(?:\s|$)/,
    'system setting'],
  ['nft ufw', /\b(?:flush|delete|add|insert|disable|reset|default\s+allow)\b/, 'system setting'],
  ['chage', /-[^l]/, 'account change'],
  ['visudo', /^(?!.*-c)/, 'account change'],
  ['passwd', /^(?!.*(?:-S|--status))/, 'account change'],
  ['su', /^(?:(?:-|-l|--login|root)(?:\s(?!$)|$))*$/, 'root shell'],
  ['crontab', /^(?!(?:.*\s)?(?:-[lVT]|--help)(?:\s|$))/, 'scheduled job change'],
  ['history', /(?:^|\s)-\w*[cd]/, 'traces removed'],
  ['unset', /HISTFILE|HISTSIZE/, 'traces removed'],
  ['export', /HISTFILE=(?:\/dev\/null|$|\s)|HISTSIZE=0/, 'traces removed'],
  ['journalctl', /--(?:vacuum|rotate)/, 'traces removed'],
  [
    'apt apt-get aptitude yum dnf microdnf zypper pacman apk dpkg rpm brew snap flatpak port choco winget',
    new RegExp(
      String.raw`^(?!.*(?:--(?:dry-run|simulate|just-print|help)|(?:^|\s)-s\b)).*(?:^|\s)(?:remove|(?:auto)?purge|rm`
      + String.raw`|del|autoremove|erase|uninstall|(?:full|dist)-upgrade|distro-sync|--(?:remove|purge|erase))(?=\s|$)`,
    ),
    'package removal',
  ],
  ['pacman dpkg rpm', /^(?!.*--(?:dry-run|simulate|help)).*(?:^|\s)-(?:R\w*|r|P|e\w*)(?=\s|$)/, 'package removal'],
  ['socat', /\b(?:exec|system):/i, 'reverse shell'],
  ['curl wget', /(?:^|\s)(?:-X|--request)[= ]?DELETE\b/i, 'cloud deletion'],
  [
    'rails rake artisan php sequelize sequelize-cli typeorm',
    /\bdb:(?:reset|purge|schema:load|wipe|migrate:reset|setup|truncate)\b|\bmigrate:(?:fresh|reset|refresh)\b|:drop\b/,
    'database reset',
  ],
  ['python python3 manage.py', /(?:^|manage\.py\s+)(?:flush|reset_db|sqlflush|reset_schema)(?=\s|$)/, 'database reset'],
  ['prisma', /^(?:migrate\s+reset|db\s+push\b.*--(?:force-reset|accept-data-loss)|db\s+execute)/, 'database reset'],
  [
    'docker podman nerdctl docker-compose',
    new RegExp(
      String.raw`(?:^|\s)(?:--privileged|--pid[= ]host|--cap-add[= ](?:ALL|SYS_ADMIN)|(?:-v`
      + String.raw`|--volume)[= ]?(?:/|~|/etc\S*|/root|/home|/var/run/docker\.sock)(?::|\S*docker\.sock)`
      + String.raw`|--mount\s\S*(?:source|src)=/(?:,|etc|root|var/run/docker))`,
    ),
    'container escape',
  ],
  [
    'docker podman nerdctl docker-compose',
    new RegExp(
      String.raw`^(?:(?:system|volume|builder)\s+prune\b`
      + String.raw`|(?:container|image|network)\s+prune\b.*(?:-\w*[af]|--all|--force)`
      // What to remove is what a program prints.
      + String.raw`|(?:volume|image|container)?\s*(?:rm|rmi|remove|kill|stop)\b(?=.*(?:[\ue000-\ue005]|\$))(?!.*--help)`
      + String.raw`|volume\s+(?:rm|remove)\b|rmi?\s+(?:\S+\s+)*(?:-\w*[fv]\w*|--force|--volumes)\b`
      + String.raw`|(?:compose\s+)?(?:\S+\s+)*down\b.*(?:\s-\w*v\b|--volumes|--rmi)`
      + String.raw`|(?:swarm\s+leave.*(?:-f|--force)|stack\s+rm|service\s+rm|context\s+rm|push)\b)`,
    ),
    'container removal',
  ],
  ['kubectl oc k', /(?:^|\s)(?:(?:delete|drain)\b(?!.*--dry-run)|scale\b.*--replicas[= ]0\b|replace\b.*--force)/,
    'cloud deletion'],
  [
    'terraform tofu terragrunt pulumi',
    /(?:^|\s)(?:destroy|(?:apply|up)\b.*(?:-destroy|-auto-approve|-y|--yes)|(?:state|stack)\s+rm|workspace\s+delete)\b/,
    'cloud deletion',
  ],
  ['aws gsutil mc s3cmd', /(?:^|\s)(?:rb\b|(?:rm|mv)\b.*\s(?:-\w*r|--recursive)|sync\b.*--delete)/, 'cloud deletion'],
  [
    'aws gcloud az doctl linode heroku firebase fly flyctl cdk eksctl kind minikube helm rclone vagrant virsh',
    /(?:^|[\s:])(?:delete|destroy|terminate|purge|remove|deregister|uninstall|schedule-key)(?:-[\w-]+)?(?=\s|$)/,
    'cloud deletion',
  ],
  [
    'gh',
    new RegExp(
      String.raw`^(?:repo\s+(?:delete|archive|edit)|release\s+(?:delete|create)|secret\s+(?:delete|remove|set)`
      + String.raw`|api\b.*(?:-X|--method)[= ]?DELETE|pr\s+merge|issue\s+delete|run\s+delete|auth\s+token)`,
    ),
    'cloud deletion',
  ],
  ['npm pnpm', /^(?:deprecate|access|owner\s+(?:add|rm)|dist-tag\s+(?:add|rm)|token)\b(?!.*--dry-run)/, 'release'],
  ['npm pnpm yarn cargo poetry hatch flit uv vsce lerna', /^(?:npm\s+)?(?:un)?publish\b(?!.*--dry-run)/, 'release'],
  ['cargo gem', /^(?:push|yank|owner)\b(?!.*--dry-run)/, 'release'],
  ['twine', /^upload\b/, 'release'],
  ['mvn', /(?:^|\s)deploy\b/, 'release'],
  ['dotnet nuget', /^(?:nuget\s+)?(?:push|delete)\b/i, 'release'],
]

const RULES = new Map<string, Rule[]>()
function keep(programs: string, rule: Rule): void {
  for (const program of programs.split(' ')) addTo(RULES, program, rule)
}
for (const rules of [FILE_RULES, PERMISSION_RULES, OTHER_RULES])
  for (const [programs, rule] of Object.entries(rules)) keep(programs, rule)
keep(DATABASE_CLIENTS, sqlClient)
for (const [programs, pattern, danger] of WHERE)
  keep(programs, ({ args }) => (pattern.test(args.join(' ').slice(0, MOST_MATCHED)) ? danger : undefined))
for (const [danger, programs] of Object.entries(ALWAYS) as [DangerName, string][])
  keep(programs, ({ args }) => (args.some((arg) => /^--(?:help|version)$/.test(arg)) ? undefined : danger))

export const RULE_NAMES = [...RULES.keys()]

/** The first danger that the rules for its name find in a command; file systems are named behind `mkfs`. */
export function dangerOf(call: Call): DangerName | undefined {
  const name = call.name.replace(/^(mkfs|newfs)[._]\w+$/, '$1')
  // Windows and macOS ignore case in the names of programs.
  for (const rule of RULES.get(name) ?? RULES.get(name.toLowerCase()) ?? []) {
    const danger = rule(call)
    if (danger) return danger
  }
  return undefined
}
