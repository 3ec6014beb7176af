import type { Day } from '../day.js'
import { makeThings, mendThem } from './making.js'
import { compact, overflow } from './context.js'
import { noTools, oddServers, secrets } from './dialects.js'
import { branchAndCommit, keepOut } from './git.js'
import { killAndLeave, killBetween, killInCommand } from './kills.js'
import { cron, gateway } from './services.js'
import { ownCommand, namedFile, steered } from './talk.js'
import { queued, twoAtOnce } from './together.js'
import { inContainer, lacksContainers, lacksSshd, onHost } from './places.js'
import { callsForEver, moreTurns } from './turns.js'
import { goOn, takeBack } from './undo.js'

export interface Step {
  name: string
  /** What this machine lacks for it; `undefined` where it can be played. */
  missing?(): string | undefined
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
  { name: 'own command and cost', run: ownCommand },
  { name: 'named file', run: namedFile },
  { name: 'steer', run: steered },
  { name: 'loop', run: callsForEver },
  { name: 'more turns', run: moreTurns },
  { name: 'ssh', run: onHost, missing: lacksSshd },
  { name: 'docker', run: inContainer, missing: lacksContainers },
  { name: 'cron', run: cron },
  { name: 'gateway', run: gateway },
]
