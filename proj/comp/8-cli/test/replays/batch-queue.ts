import { Queue } from 'bullmq'
import { useProcesses, type Started } from '../../../../test/support/cli-processes.js'
import type { Cli } from '../../../../test/support/cli.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import type { TestRedis } from '../../../../test/support/redis.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ModelServer } from '../../../6-agent/test/agent/support/model-server.js'
import { PROMPT_JOBS } from '../../../7-queue/src/batch-queue/index.js'
import { queueStatus, type QueueStatus } from '../../../7-queue/src/jobs/index.js'

/** Of the workers; nobody else gets it. */
export const KEY = 'sk-a-key-that-nobody-else-gets'
export const flags = ['batch', 'prompts.jsonl', '--out', 'out', '--model', 'm', '--no-git', '--json']

/** Batches and their workers, beside each other. */
export function useBatchQueue(cli: Cli, server: ModelServer, redis: TestRedis) {
  const start = useProcesses(cli)
  const worker = async (given: readonly string[] = [], env: Record<string, string> = {}): Promise<Started> => {
    const cwd = tempDir()
    const started = start(['worker', '--prompts', '--queue', redis.url, '--concurrency', '1', ...given], cwd, {
      TMPDIR: cwd, HOME: cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: KEY, ...env,
    })
    await started.until('Takes prompts')
    return started
  }
  const end = async ({ child, ended }: Started): Promise<number | null> => {
    child.kill('SIGINT')
    return ended
  }
  const prompts = (...given: object[]): string => {
    const cwd = tempDir()
    writeTree(cwd, { 'prompts.jsonl': given.map((one) => JSON.stringify(one)).join('\n') })
    return cwd
  }
  const env = (cwd: string) => ({ HOME: cwd, TMPDIR: cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-of-whoever-asks' })
  const run = async (cwd: string, ...more: string[]): Promise<{ code: number | null; told: Record<string, unknown>; stderr: string }> => {
    const { exitCode, stdout, stderr } = await cli.run([...flags, '--queue', redis.url, ...more], { cwd, env: env(cwd) })
    return { code: exitCode, told: stdout === '' ? {} : JSON.parse(stdout) as Record<string, unknown>, stderr }
  }
  const put = async (data: object): Promise<void> => {
    const queue = new Queue(PROMPT_JOBS.queue, { prefix: '{hermes}', connection: { host: '127.0.0.1', port: redis.port } })
    await queue.add(PROMPT_JOBS.job, data, { removeOnComplete: true })
    await queue.close()
  }
  const status = async (): Promise<QueueStatus | undefined> => (await queueStatus(redis.url, [PROMPT_JOBS.queue])).statuses[0]
  return { start, worker, end, prompts, env, run, put, status }
}
