import { text } from 'node:stream/consumers'
import type { ApprovalAnswer, ApprovalReply, ApprovalRequest } from '../../comp/0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../comp/5-executor/src/executor/index.js'

interface Input {
  answers: string[]
  options: ExecutorOptions
  /** To whatever is asked; nobody answers without it. */
  consent?: ApprovalAnswer | ApprovalReply
}

/** A program: runs the answers it reads as JSON, one run each, and prints their results and what was asked. */
const { answers, options, consent } = JSON.parse(await text(process.stdin)) as Input
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
const results: unknown[] = []
for (const answer of answers) results.push(await hermes.execute(answer))
process.stdout.write(JSON.stringify({ results, asked }))
await hermes[Symbol.asyncDispose]()
