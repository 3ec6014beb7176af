import {
  HermesError, type AccessClass, type AnyVerb, type DelegateMode, type DelegateTask,
} from '../../../../0-contracts/src/index.js'
import { nearest } from '../../../../0-text/src/index.js'
import type { ExecutorOptions } from '../../../../5-executor/src/index.js'
import type { AgentOptions, CallStyle } from '../loop-options.js'
import type { AgentPart, CopyPlace } from './agent-part.js'

/** What a delegate is made by. */
export interface DelegateMaking {
  task: Pick<DelegateTask, 'mode' | 'tools'>
  /** Of the agent that gives the task. */
  options: Readonly<AgentOptions>
  model: string
  style: CallStyle
  /** As it was given. */
  root: string
  copy: CopyPlace | undefined
  /** Those that the agent itself may call. */
  verbs: readonly AnyVerb[]
  /** Answers that it may give. */
  mostTurns: number
}

/** Options of a delegate's agent: nothing that its giver has not. Whom it asks, and its turns, are the caller's. */
export function delegateOptions({ task, options, model, style, root, copy, mostTurns }: DelegateMaking): AgentOptions {
  const {
    // Each belongs to the conversation of whoever gives the task.
    goOn: _goOn, ui: _ui, scheduler: _scheduler, sessions: _sessions, saveTrajectories: _trajectories,
    beforeWrite: _beforeWrite, changeTexts: _texts, mcpServers: _servers, extensionUi: _extensionUi,
    confirmCommits: _commits, verbose: _verbose, approve: _approve, allow, ...same
  } = options
  const turns = `- You have ${mostTurns} answers at most: the last one is to be in words.`
  return {
    ...same, model, style, root: copy?.root ?? root, systemPrompt: `${RULES}\n${OF_MODE[task.mode]}\n${turns}`,
    delegate: false, sessions: false, quiet: true, autoCommit: 'none', gitCommit: false,
    ...(allow && !copy && { allow }),
  }
}

/** What it may do at most. @throws HermesError `INVALID_PARAMETER` for a tool there is not */
export function delegatePart({ task: { mode, tools }, verbs, copy }: DelegateMaking): AgentPart {
  const possible = verbs.filter((verb) => isOf(mode, verb))
  const allowed = new Set(chosen(tools, possible).map(({ name }) => name))
  return { allows: ({ name }) => allowed.has(name), refuse, ...(copy && { copy }) }
}

function chosen(tools: readonly string[] | undefined, possible: readonly AnyVerb[]): readonly AnyVerb[] {
  if (tools === undefined) return possible
  const names = possible.map(({ name }) => name)
  for (const tool of tools) {
    if (names.some((name) => isCalled(name, tool))) continue
    const meant = nearest(tool, names)
    throw new HermesError('INVALID_PARAMETER', `delegate: it could not call ${tool} in this mode`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}It could call ${names.join(', ')}.`,
    })
  }
  return possible.filter(({ name }) => tools.some((tool) => isCalled(name, tool)))
}

/** By function calling a verb has `_` in its name for a dot. */
function isCalled(name: string, tool: string): boolean {
  return name === tool || name.replaceAll('.', '_') === tool
}

/** Verbs of the session itself that a delegate has a use for. */
const OF_SESSION = new Set(['context', 'skills'])

/** What these do, the copy holds, or the sandbox around it. */
const IN_COPY: ReadonlySet<AccessClass> = new Set(['write', 'exec', 'dynamic'])

function isOf(mode: DelegateMode, { type, category, origin }: AnyVerb): boolean {
  if (OF_SESSION.has(category)) return true
  if (category === 'mcp' || category === 'delegate') return false
  if (type === 'read') return mode === 'read' || category !== 'version_control'
  // What verbs of the user's own do, no copy holds.
  return mode === 'copy' && IN_COPY.has(type) && origin === undefined
}

const refuse: NonNullable<ExecutorOptions['refuse']> = ({ action }) => {
  const isDelegate = /^delegate(?:_|$)/i.test(action)
  if (!isDelegate && !/^mcp[._]/i.test(action)) return undefined
  const [what, instead] = isDelegate ? ['has no delegates of its own', 'Do the task yourself']
    : ['calls no tools of MCP servers', 'Do without']
  return {
    code: 'POLICY_DENIED', error: `${action}: a delegate ${what}`,
    hint: `${instead}, and say in your answer what is left.`,
  }
}

const RULES = `You are a delegate: another agent gave you the task below, and gets nothing but your last answer.
- Nobody answers questions: decide, and say what you decided.
- Say in your last answer what you found or did, with paths and line numbers, and what is left; quote little.`

const OF_MODE: Readonly<Record<DelegateMode, string>> = {
  read: '- You only read: nothing can be written, and no command runs.',
  copy: '- You work in a copy of the project, without .git and without what git ignores (such as node_modules). Write '
    + 'paths relative to the root. Who gave you the task looks at what you changed, and may take it over.',
}
