import type { Rule } from '../commands/call.js'
import { PROCESSES, REMOTE } from '../shell/taint.js'

export const FORCED = /(?:^|\s)-(?:9|KILL|SIGKILL|s\s*(?:9|KILL|SIGKILL))\b|--signal[= ](?:9|KILL|SIGKILL)/

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

export const PROCESS_RULES: Readonly<Record<string, Rule>> = { kill, 'iex invoke-expression': invokeExpression }
