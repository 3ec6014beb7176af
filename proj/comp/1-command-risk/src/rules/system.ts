import { isDisk, isSystemPath } from '../commands/paths.js'
import { PROCESSES } from '../shell/taint.js'
import { always, firstOf, when, type Rule } from './rule.js'

const FORCED = /(?:^|\s)-(?:9|KILL|SIGKILL|s\s*(?:9|KILL|SIGKILL))\b|--signal[= ](?:9|KILL|SIGKILL)/

const kill: Rule = ({ args }) => {
  const signals = args.filter((arg) => arg.startsWith('-'))
  const targets = args.filter(
    (arg, at) => !/^-(?:\d{1,2}|[A-Z]\w*|s|n|l|L)$/.test(arg) && !/^-[sn]$/.test(args[at - 1] ?? '') && arg !== '--',
  )
  const last = args.at(-1)
  if (FORCED.test(signals.join(' ')) && targets.some((target) => target.includes(PROCESSES)))
    return 'kill of many processes'
  if ((last === '-1' || last === '0') && args.length > 1) return 'kill of many processes'
  return targets.some((target) => target === '1') && signals.every((one) => one !== '-0' && one !== '-l')
    ? 'kill of many processes'
    : undefined
}

const killAll: Rule = ({ args }) => {
  const text = args.join(' ')
  if (/(?:^|\s)-l\b/.test(text)) return undefined
  const isWide = /(?:^|\s)(?:-[uUGgt]\b|--(?:euid|uid|user|terminal)\b|\.\*?(?:\s|$)|'?\.\+'?|-v\b|--inverse)/.test(
    text,
  )
  return isWide || FORCED.test(text) ? 'kill of many processes' : undefined
}

const SYSTEMCTL = /(?:^|\s)(?:stop|disable|mask|kill|isolate|revert|daemon-reexec|set-default|emergency|rescue)\b/
const systemctl: Rule = ({ args }) => {
  const text = args.join(' ')
  if (/(?:^|\s)(?:poweroff|reboot|halt|kexec|suspend|hibernate|soft-reboot)\b/.test(text)) return 'system shutdown'
  return SYSTEMCTL.test(text) ? 'service stop' : undefined
}

const shutdown: Rule = ({ args }) =>
  args.some((arg) => /^(?:-c|--help|--version|--show|--no-wall)$/.test(arg)) && args.length === 1
    ? undefined
    : 'system shutdown'

const mount: Rule = ({ args }) =>
  /remount|--bind|--move|-o\s*\S*rw/.test(args.join(' ')) || args.some((arg) => isDisk(arg))
    ? 'system setting'
    : undefined

const crontab: Rule = ({ args }) =>
  args.some((arg) => arg === '-l') && !args.includes('-r')
    ? undefined
    : args.some((arg) => /^(?:--help|-V|-T)$/.test(arg))
      ? undefined
      : 'scheduled job change'

const packages =
  (verbs: RegExp): Rule =>
  ({ args }) =>
    verbs.test(args.join(' ')) && !/--(?:dry-run|simulate|just-print|help)|(?:^|\s)-s\b/.test(args.join(' '))
      ? 'package removal'
      : undefined
const apt = packages(/(?:^|\s)(?:remove|purge|autoremove|autopurge|--purge|full-upgrade|dist-upgrade)\b/)
const rpmLike = packages(/(?:^|\s)(?:remove|erase|autoremove|distro-sync)\b/)

export const SYSTEM_RULES: Readonly<Record<string, Rule>> = {
  kill,
  killall: killAll,
  pkill: killAll,
  killall5: always('kill of many processes'),
  skill: killAll,
  fuser: when(/-\w*k/, 'kill of many processes'),
  loginctl: when(/^(?:kill|terminate)-/, 'kill of many processes'),
  systemctl,
  service: when(/\s(?:stop|disable)\b|--full-restart/, 'service stop'),
  'rc-service': when(/\sstop\b/, 'service stop'),
  launchctl: when(/^(?:unload|remove|bootout|disable|kill|stop)\b/, 'service stop'),
  'rc-update': when(/^del/, 'service stop'),
  chkconfig: when(/\soff\b|--del/, 'service stop'),
  'update-rc.d': when(/\b(?:remove|disable)\b/, 'service stop'),
  sv: when(/^(?:down|force-stop|exit)\b/, 'service stop'),
  initctl: when(/^stop\b/, 'service stop'),
  sc: when(/^(?:stop|delete|config)\b/i, 'service stop'),
  shutdown,
  reboot: always('system shutdown'),
  halt: always('system shutdown'),
  poweroff: always('system shutdown'),
  init: when(/^[06s1]$/i, 'system shutdown'),
  telinit: when(/^[06s1]$/i, 'system shutdown'),
  pmset: when(/sleepnow|schedule/, 'system shutdown'),
  sysctl: when(/(?:^|\s)(?:-w|--write|-p|--load|--system)\b|\w=/, 'system setting'),
  insmod: always('system setting'),
  rmmod: always('system setting'),
  modprobe: always('system setting'),
  mount,
  umount: when(/(?:^|\s)(?:-\w*[alf]|--(?:all|lazy|force)|\/(?:\s|$)|\/(?:boot|home|usr|var|etc)\b)/, 'system setting'),
  setenforce: always('system setting'),
  csrutil: when(/disable/, 'system setting'),
  spctl: when(/disable/, 'system setting'),
  iptables: firewall,
  ip6tables: firewall,
  'iptables-restore': always('system setting'),
  nft: when(/\b(?:flush|delete|add|insert)\b/, 'system setting'),
  ufw: when(/\b(?:disable|reset|delete|default\s+allow)\b/, 'system setting'),
  'firewall-cmd': when(/--(?:panic|remove|set-default-zone|permanent)/, 'system setting'),
  ip: when(/^(?:link set .*down|route (?:del|flush)|addr (?:del|flush))/, 'system setting'),
  ifconfig: when(/\sdown\b/, 'system setting'),
  ifdown: always('system setting'),
  timedatectl: when(/^set-/, 'system setting'),
  hostnamectl: when(/^set-/, 'system setting'),
  date: when(/(?:^|\s)(?:-s|--set)\b/, 'system setting'),
  defaults: when(/^delete/, 'system setting'),
  nvram: when(/(?:^|\s)-[cd]|=/, 'system setting'),
  dmsetup: when(/^remove/, 'disk format'),
  crontab,
  atrm: always('scheduled job change'),
  history: when(/(?:^|\s)-\w*[cd]/, 'traces removed'),
  unset: when(/HISTFILE|HISTSIZE/, 'traces removed'),
  export: when(/HISTFILE=(?:\/dev\/null|$|\s)|HISTSIZE=0|LD_PRELOAD=\S/, 'traces removed'),
  journalctl: when(/--(?:vacuum|rotate)/, 'traces removed'),
  wevtutil: when(/^cl\b/i, 'traces removed'),
  logrotate: when(/-\w*f/, 'traces removed'),
  auditctl: when(/(?:^|\s)-(?:D|e\s*0)/, 'traces removed'),
  apt,
  'apt-get': apt,
  aptitude: apt,
  yum: rpmLike,
  dnf: rpmLike,
  zypper: packages(/(?:^|\s)(?:rm|remove)\b/),
  microdnf: rpmLike,
  pacman: packages(/(?:^|\s)(?:-R\w*|--remove)\b/),
  apk: packages(/(?:^|\s)del\b/),
  dpkg: packages(/(?:^|\s)(?:-r|-P|--remove|--purge|--force\S*)\b/),
  rpm: packages(/(?:^|\s)(?:-e\w*|--erase)\b/),
  brew: packages(/^(?:uninstall|remove|rm|autoremove)\b/),
  snap: packages(/^remove\b/),
  flatpak: packages(/^(?:uninstall|remove)\b/),
  port: packages(/^uninstall\b/),
  choco: packages(/^uninstall\b/),
  winget: packages(/^uninstall\b/),
  yes: () => undefined,
  stress: when(/\d/, 'fork bomb'),
  'stress-ng': when(/\d/, 'fork bomb'),
  tcpkill: always('system setting'),
  'systemd-tmpfiles': firstOf(when(/--remove|--clean/, 'mass delete')),
  tmpreaper: always('mass delete'),
  tmpwatch: always('mass delete'),
  chsh: ({ args }) => (args.some((arg) => isSystemPath(arg)) ? 'account change' : undefined),
}

function firewall({ args }: { args: readonly string[] }) {
  return /(?:^|\s)(?:-[FXZPDAIR]|--(?:flush|delete|policy|append|insert|replace)\S*)(?:\s|$)/.test(args.join(' '))
    ? ('system setting' as const)
    : undefined
}
