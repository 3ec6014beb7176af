import { clip, escapeControls } from '../../../../0-text/src/index.js'
import { rewriteLine } from '../../../../1-reports/src/index.js'
import type { AgentEvent } from '../events.js'
import type { AgentOptions } from '../loop-options.js'

const MOST = 200

/** Writes an agent's log to standard error: nothing (`quiet`), notices, or each step (`verbose`). */
export class AgentLog {
  constructor(private readonly options: Pick<AgentOptions, 'verbose' | 'quiet'>) {}

  notice(text: string): void {
    if (this.options.quiet !== true) process.stderr.write(`hermes: ${escapeControls(text)}\n`)
  }

  event(event: AgentEvent): void {
    if (event.type === 'notice') this.notice(event.text)
    else if (this.options.verbose === true && this.options.quiet !== true) {
      const line = lineOf(event)
      if (line !== undefined) process.stderr.write(`hermes: ${escapeControls(clip(line.replace(/\s+/g, ' '), MOST))}\n`)
    }
  }
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'turn_start':
      return `turn ${event.turn}`
    case 'rewrites':
      return event.rewrites.map(rewriteLine).join('; ')
    case 'call_start':
      return `call ${event.id}: ${event.tool} ${JSON.stringify(event.parameters)}`
    case 'call_end':
      return event.result.success ? `call ${event.id}: done`
        : `call ${event.id}: failed, ${event.result.code}: ${event.result.error}`
    case 'usage':
      return `tokens ${event.input} in, ${event.output} out${event.estimated ? ' (estimated)' : ''}; `
        + `${event.total.input} and ${event.total.output} in all`
    case 'retry':
      return `retry ${event.attempt} in ${event.waitMs} ms: ${event.reason}`
    case 'context':
      return `context: ${event.pruned} outputs left out${event.summarized ? ', older messages summarised' : ''}; `
        + `about ${event.tokens} tokens`
    case 'end':
      return `end: ${event.reason}`
    default:
      return undefined
  }
}
