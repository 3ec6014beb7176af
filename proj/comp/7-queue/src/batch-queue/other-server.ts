import { HermesError } from '../../../0-contracts/src/index.js'

/** The same for the same server: its base URL without what does not matter. */
export function serverName(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).href.replace(/\/+$/, '') : baseURL
}

/** Why a worker does not run what was planned for another server than the one it asks. */
export function otherServer(asked: string, own: string): HermesError | undefined {
  const [theirs, ours] = [serverName(asked), serverName(own)]
  if (theirs === ours) return undefined
  return new HermesError('OTHER_SERVER', `The worker asks ${ours}, and the prompt is for ${theirs}`, {
    hint: `Start a worker with --base-url ${theirs} and a key for it; `
      + 'hermes batch --base-url names another for the prompts.',
  })
}
