import type { AgentSettings } from '../../config/src/index.js'

export interface ServiceState {
  name: string
  detail: string
}

/** What of hermes runs besides commands: the scheduled jobs and the gateway. */
export async function serviceStates(_settings: AgentSettings): Promise<ServiceState[]> {
  return []
}
