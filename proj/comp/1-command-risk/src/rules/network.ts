import type { Rule } from '../commands/call.js'
import { downloadTarget } from '../commands/text-tools.js'
import { targetDanger } from './targets.js'

const SHELL = /(?:^|[\s/:,"'])(?:(?:ba|z|k|da|c)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)(?:$|[\s,"'])/

/** Programs that connect a remote machine to a program here. */
const netcat: Rule = ({ args, stdin }) => {
  const runs = args.some(
    (arg, at) => /^-\w*[ec]$|^--(?:sh-)?exec/.test(arg) && SHELL.test(` ${args.slice(at).join(' ')}`),
  )
  return runs || /\$\s/.test(stdin) ? 'reverse shell' : undefined
}

const download: Rule = (call) => targetDanger(downloadTarget(call))

export const NETWORK_RULES: Readonly<Record<string, Rule>> = { 'nc ncat netcat': netcat, 'curl wget': download }
