import { startModelServer } from '../../comp/6-agent/test/agent/support/model-server.js'
import { Day, type DayPrograms, type Sums } from './day.js'
import { STEPS } from './steps/index.js'

export interface DayOptions extends DayPrograms {
  /** Whether a step is part of the day; the first always is. */
  takes(step: string): boolean
  tell(line: string): void
}

export interface DayFigures extends Sums {
  steps: Record<string, number>
  checks: number
  wrong: string[]
  /** Steps that could not be played, each with the reason. */
  skipped: Record<string, string>
}

/** One day, step by step. A step that throws is wrong, and the next goes on. */
export async function playDay({ takes, tell, ...programs }: DayOptions): Promise<DayFigures> {
  const server = await startModelServer()
  const day = new Day(programs, server)
  const steps: Record<string, number> = {}
  const skipped: Record<string, string> = {}
  try {
    for (const [at, { name, run, missing }] of STEPS.entries()) {
      if (at > 0 && !takes(name)) continue
      const reason = missing?.()
      if (reason !== undefined) {
        skipped[name] = reason
        tell(`${programs.style}, ${name}: skipped, ${reason}`)
        continue
      }
      const before = day.checks
      const startedAt = performance.now()
      day.begin(name)
      await run(day).catch((error: unknown) => day.expect('it came to its end', String(error), 'its end'))
      // What a step left would hold the root's lock against all that follow.
      day.endAll()
      steps[name] = day.checks - before
      tell(`${programs.style}, ${name}: ${steps[name]} checks, ${Math.round(performance.now() - startedAt)} ms`)
    }
    return { ...day.sums, steps, checks: day.checks, wrong: day.wrong, skipped }
  } finally {
    day.close()
    await server.close()
  }
}

export const STEP_NAMES: readonly string[] = STEPS.map(({ name }) => name)
