import { createInterface } from 'node:readline'
import type { ApprovalAnswer, ApprovalReply, ApprovalRequest } from '../../comp/0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../comp/5-executor/src/executor/index.js'

/** A line of standard input. */
export interface Session {
  answers: readonly string[]
  options: ExecutorOptions
  /** To whatever is asked; nobody answers without it. */
  consent?: ApprovalAnswer | ApprovalReply | undefined
  env: Record<string, string>
  cwd: string
}

/**
 * A program: for each line that it reads, a session of its own, in the environment and directory that the line names,
 * runs the answers, one run each. It prints a line with their results and what was asked when the session has ended.
 */
for await (const line of createInterface({ input: process.stdin })) {
  const played = await play(JSON.parse(line) as Session).catch((error: Error) => ({ failure: error.message }))
  process.stdout.write(`${JSON.stringify(played)}\n`)
}

async function play({ answers, options, consent, env, cwd }: Session): Promise<object> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  const asked: ApprovalRequest[] = []
  const hermes = new Hermes({
    ...options,
    ...(consent && {
      approve(request: ApprovalRequest) {
        asked.push(request)
        return consent
      },
    }),
  })
  try {
    const results: unknown[] = []
    for (const answer of answers) results.push(await hermes.execute(answer))
    return { results, asked }
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}
