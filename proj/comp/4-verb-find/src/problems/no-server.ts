import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { listed } from '../../../0-text/src/index.js'

/** No language server may be asked about a file. */
export function noServer(verb: string, path: string, { policy, elsewhere }: VerbContext): HermesError {
  const { exec } = policy.verbs
  const why = elsewhere ? `the files are on ${elsewhere.host}`
    : exec.value === 'off' ? `${exec.by ?? 'the policy'} says exec: off` : 'none is configured for its language'
  const languages = [...new Set((policy.languageServers ?? []).flatMap((server) => server.languages))]
  return new HermesError('NOT_INSTALLED', `${verb}: no language server for ${path}: ${why}`, {
    hint: languages.length === 0
      ? 'The user can name one under language_servers in the config: hermes help language-servers.'
      : `There are servers for ${listed(languages)}. The user can add one: hermes help language-servers.`,
  })
}
