import { readFileSync, realpathSync } from 'node:fs'
import {
  caught, type ExecutionResult, HermesError, type HermesOptions, isNodeError, type NetworkReach,
} from '../../../0-contracts/src/index.js'
import { loadPolicy } from '../../../2-config/src/index.js'
import { Agent, type AgentOptions } from '../../../6-agent/src/index.js'
import { Hermes } from '../../../5-executor/src/index.js'
import { rewriteLine } from '../../../1-reports/src/index.js'
import { createMasker, lineFeeds, usageError } from '../../../0-text/src/index.js'
import { withinLimits } from './job-rights.js'
import type { Job } from './jobs.js'
import type { Outcome, Work } from './runner.js'

export interface WorkOptions {
  /** For jobs with a prompt. Nobody is asked: whatever needs approval fails, unless `command_allowlist` has it. */
  agent?: Omit<AgentOptions, 'model'> | undefined
  /** For jobs that name none. */
  model?: string | undefined
  /** For jobs with an answer. */
  hermes?: Omit<HermesOptions, 'root' | 'signal'>
}

/** Runs jobs: a prompt by the agent, an answer as `hermes apply` does. */
export function cronWork({ agent, model, hermes = {} }: WorkOptions): Work {
  return async (job, { write, signal }) => {
    const masker = createMasker(process.env, { shapes: true })
    const tell = (text: string): void => write(masker.text(text))
    try {
      const { success, detail, answer } = job.prompt === undefined ? await runAnswer(job, hermes, tell, signal)
        : await runPrompt(job, job.prompt, { ...agent, model: job.model ?? model }, tell, signal)
      return { success, detail: masker.text(detail), ...(answer !== undefined && { answer: masker.text(answer) }) }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return { success: false, detail: masker.text(error.message) }
    }
  }
}

async function runPrompt(
  job: Job, prompt: string, { model, ...options }: Omit<AgentOptions, 'model'> & { model: string | undefined },
  tell: (text: string) => void, signal: AbortSignal,
): Promise<Outcome> {
  if (model === undefined) throw usageError('No model is configured', 'hermes setup --model NAME')
  const own = { ...options, model, root: job.root, quiet: true }
  const agent = new Agent(job.limits ? withinLimits(own, job.limits, await reachOf(own)) : own)
  let calls = 0
  try {
    for await (const event of agent.run(prompt, { signal })) {
      if (event.type === 'call_end') {
        calls++
        tell(`[${event.tool} ${event.result.success ? 'ok' : `failed: ${event.result.error ?? ''}`}]\n`)
      } else if (event.type === 'notice') tell(`[${event.text}]\n`)
      else if (event.type === 'rewrites') event.rewrites.forEach((rewrite) => tell(`[${rewriteLine(rewrite)}]\n`))
      else if (event.type === 'end') {
        tell(`${event.text}\n`)
        const success = event.reason === 'answer'
        return { success, detail: success ? `answered, ${calls} calls` : `ended: ${event.reason}`, answer: event.text }
      }
    }
    return { success: false, detail: 'the agent said nothing' }
  } finally {
    await agent[Symbol.asyncDispose]()
  }
}

/** Network access that the policy gives commands; an unreadable policy keeps the job itself from running. */
async function reachOf({ root, policy }: Pick<AgentOptions, 'policy'> & { root: string }): Promise<NetworkReach> {
  const { policy: { verbs, hosts } } = await loadPolicy({ root: realpathSync(root), policy, wishes: { limits: {} } })
  return verbs.network.value !== 'off' && (hosts?.value ?? true)
}

async function runAnswer(
  job: Job, options: Omit<HermesOptions, 'root' | 'signal'>, tell: (text: string) => void, signal: AbortSignal,
): Promise<Outcome> {
  const text = answerOf(job.answer ?? '')
  const hermes = new Hermes({ ...options, root: job.root, signal })
  try {
    return told(await hermes.execute(text), tell)
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}

function told(result: ExecutionResult, tell: (text: string) => void): Outcome {
  for (const { success, blockId, action, error } of result.results) {
    tell(`${success ? 'ok' : 'failed'}  ${blockId} ${action}${error === undefined ? '' : `: ${error}`}\n`)
  }
  for (const { error } of result.parseErrors) tell(`failed  line ${error.line}: ${error.message}\n`)
  if (result.fatalError !== undefined) tell(`failed  ${result.fatalError}\n`)
  const failed = result.totalBlocks - result.results.filter(({ success }) => success).length
  const detail = result.fatalError
    ?? (failed > 0 ? `${failed} of ${result.totalBlocks} blocks failed` : `${result.totalBlocks} blocks`)
  return { success: result.success, detail }
}

function answerOf(file: string): string {
  return caught(isNodeError, () => lineFeeds(readFileSync(file, 'utf8')), (error) => {
    throw new HermesError(error.code, `The answer cannot be read: ${file} (${error.code})`, {
      hint: 'Add the job again, with another file.', cause: error,
    })
  })
}
