import { join } from 'node:path'
import type { AgentSettings } from '../../../2-config/src/index.js'
import { orNothing } from '../../../0-contracts/src/index.js'
import { readJobs, jobSchedule, missingVariables } from '../../../7-services/src/index.js'
import { lockHolder } from '../../../2-files/src/index.js'

export interface ServiceState {
  name: string
  detail: string
}

/** State of hermes' background processes: scheduled jobs and the gateway. */
export async function serviceStates(settings: AgentSettings): Promise<ServiceState[]> {
  const { home, cron, gateway } = settings
  const jobs = readJobs(join(home, 'cron'))
  const times = await Promise.all(jobs.map(async (job) =>
    (await jobSchedule(job, cron.time_zone)).next(Date.now()) ?? Infinity))
  const next = Math.min(...times)
  const missing = missingVariables(settings)
  const adapters = Object.keys(missing).filter((name) => missing[name]?.length === 0).map((name) => {
    const users = gateway[name as 'slack']?.allowed_users?.length ?? 0
    return `${name} (${users} allowed ${users === 1 ? 'user' : 'users'})`
  })
  return [
    { name: 'cron', detail: jobs.length === 0 ? 'no jobs' : `${jobs.length} jobs, `
      + `next ${next === Infinity ? 'never' : new Date(next).toISOString()}, ${running(home, 'cron')}` },
    {
      name: 'gateway',
      detail: adapters.length === 0 ? 'not set up' : `${adapters.join(', ')}, ${running(home, 'gateway')}`,
    },
  ]
}

/** Process id of the job runner or the gateway; `undefined` where it is not running. */
export function serviceProcess(home: string, name: 'cron' | 'gateway'): number | undefined {
  return orNothing(() => lockHolder(join(home, name, 'lock'))?.pid, undefined)
}

function running(home: string, name: 'cron' | 'gateway'): string {
  const pid = serviceProcess(home, name)
  return pid === undefined ? 'not running' : `running (process ${pid})`
}
