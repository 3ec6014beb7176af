import type { Day } from '../day.js'
import { makeThings, mendThem } from './making.js'
import { compact, overflow } from './context.js'
import { noTools, oddServers, secrets } from './dialects.js'
import { branchAndCommit, keepOut } from './git.js'
import { killAndLeave, killBetween, killInCommand } from './kills.js'
import { cron, gateway } from './services.js'
import { queued, twoAtOnce } from './together.js'
import { goOn, takeBack } from './undo.js'

export interface Step {
  name: string
  run(day: Day): Promise<void>
}

/** In the order of the day. The first makes what the others work on; each of the others does without the rest. */
export const STEPS: readonly Step[] = [
  { name: 'create', run: makeThings },
  { name: 'test and fix', run: mendThem },
  { name: 'branch and commit', run: branchAndCommit },
  { name: 'bulk and secrets', run: keepOut },
  { name: 'undo', run: takeBack },
  { name: 'resume', run: goOn },
  { name: 'overflow', run: overflow },
  { name: 'compact', run: compact },
  { name: 'kill in a command', run: killInCommand },
  { name: 'kill and leave', run: killAndLeave },
  { name: 'kill between calls', run: killBetween },
  { name: 'leaked calls', run: oddServers },
  { name: 'no tools', run: noTools },
  { name: 'secrets', run: secrets },
  { name: 'two chats', run: twoAtOnce },
  { name: 'queued message', run: queued },
  { name: 'cron', run: cron },
  { name: 'gateway', run: gateway },
]
