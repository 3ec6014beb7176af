import { useProcesses, type Started } from '../../../../test/support/cli-processes.js'
import type { Cli } from '../../../../test/support/cli.js'
import { conversation } from '../../../../test/support/conversations.js'
import type { TestRedis } from '../../../../test/support/redis.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { queueStatus } from '../../../7-queue/src/jobs/index.js'
import { REPLAY_JOBS } from '../../../7-queue/src/replay-queue/index.js'

/** A transcript of one command, which prints nothing. */
export function command(code: string, lang = 'bash'): string {
  return conversation({ name: 'exec', arguments: { lang, code } }, { success: true, data: { stdout: '', stderr: '', exit_code: 0 } })
}

/** A report without what differs from run to run. */
export function settled(json: string): unknown {
  const report = JSON.parse(json, (key, value: unknown) => (key === 'durationMs' ? 0 : value)) as { reports: { name: string }[] }
  return { ...report, reports: report.reports.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Replays and their workers, beside each other. */
export function useReplayQueue(cli: Cli, redis: TestRedis) {
  const start = useProcesses(cli)
  const worker = async (...flags: string[]): Promise<Started> => {
    const cwd = tempDir()
    const started = start(['worker', '--queue', redis.url, '--concurrency', '2', ...flags], cwd, { TMPDIR: cwd, AWS_SECRET_ACCESS_KEY: 'geheim' })
    await started.until('Takes transcripts')
    return started
  }
  const status = async () => (await queueStatus(redis.url, [REPLAY_JOBS.queue])).statuses[0] ?? { waiting: -1, active: -1, done: -1 }
  return { start, worker, status }
}
