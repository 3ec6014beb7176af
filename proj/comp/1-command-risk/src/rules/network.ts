import { downloadTarget } from '../commands/text-tools.js'
import { isKnown, REMOTE } from '../shell/taint.js'
import { always, firstOf, when, type Rule } from './rule.js'
import { targetDanger } from './targets.js'

const SHELL = /(?:^|[\s/:,"'])(?:(?:ba|z|k|da|c)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)(?:$|[\s,"'])/

/** Programs that connect a remote machine to a program here. */
const netcat: Rule = ({ args, stdin }) => {
  const runs = args.some(
    (arg, at) => /^-\w*[ec]$|^--(?:sh-)?exec/.test(arg) && SHELL.test(` ${args.slice(at).join(' ')}`),
  )
  return runs || /\$\s/.test(stdin) ? 'reverse shell' : undefined
}

const socat: Rule = ({ args }) => (/\b(?:exec|system):/i.test(args.join(' ')) ? 'reverse shell' : undefined)

/** Installers that download their scripts from a URL. */
const fromAddress: Rule = ({ args }) =>
  args.some((arg) => arg.includes(REMOTE)) && !isKnown(args.join(' ')) ? 'remote code' : undefined

const curl: Rule = (call) => {
  const text = call.args.join(' ')
  if (/(?:^|\s)(?:-X|--request)[= ]?DELETE\b/i.test(text)) return 'cloud deletion'
  const target = downloadTarget(call)
  return target === undefined ? undefined : targetDanger(target)
}

export const NETWORK_RULES: Readonly<Record<string, Rule>> = {
  nc: netcat,
  ncat: netcat,
  netcat,
  'nc.traditional': netcat,
  socat,
  curl,
  wget: curl,
  pip: fromAddress,
  pip3: fromAddress,
  msfvenom: always('reverse shell'),
  msfconsole: always('reverse shell'),
  mshta: when(/https?:/i, 'remote code'),
  regsvr32: when(/https?:/i, 'remote code'),
  certutil: firstOf(when(/-(?:decode|decodehex)\b/i, 'hidden code'), when(/-urlcache\b/i, 'remote code')),
  bitsadmin: when(/\/transfer/i, 'remote code'),
  openssl: ({ args, stdin }) => (args[0] === 's_client' && /\$|sh/.test(stdin) ? 'reverse shell' : undefined),
  tcpdump: when(/-w\s*\/(?:etc|usr)/, 'overwrite of a system file'),
  hping3: when(/--flood/, 'system setting'),
}
