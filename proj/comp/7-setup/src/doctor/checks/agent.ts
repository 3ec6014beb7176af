import { readAgentSettings, shownHome } from '../../../../2-config/src/index.js'
import type { Check, Finding } from '../finding.js'

/** Whether a model can be asked, and whether the keys are closed to others. `hermes apply` needs neither. */
export const checkAgent: Check = async () => {
  const { model, apiKey, apiKeyName, baseURL, home, warnings } = await readAgentSettings()
  const isLocal = /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(baseURL)
  const finding: Finding = model === undefined
    ? {
      id: 'agent', status: 'note', title: 'agent',
      detail: 'no model is configured: hermes chat, cron and gateway cannot work', fix: 'hermes setup',
    }
    : apiKey === undefined && !isLocal
      ? {
        id: 'agent', status: 'warning', title: 'agent',
        detail: `${apiKeyName} is not set, and ${baseURL} most likely wants it`,
        fix: `hermes setup --key ${apiKeyName}, with the key on standard input`,
      }
      : {
        id: 'agent', status: 'ok', title: 'agent',
        detail: `${model} at ${baseURL}${apiKey === undefined ? '' : `, ${apiKeyName} set`}`,
      }
  return [finding, ...warnings.map((detail): Finding => ({
    id: 'env-file', status: 'warning', title: 'keys', detail: detail.replace(home, shownHome(home)),
    fix: 'Nothing more, if you alone use this machine; else get new keys.',
  }))]
}
