import { readListenAddress } from '../../../2-wire/src/index.js'
import { writeServerToken } from '../../../6-rpc/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { say } from '../io/output.js'

/** What `--http` and `--token-file` say of a server. @throws HermesError `INVALID_OPTION` */
export function httpFlags(args: Arguments) {
  const [http, tokenFile] = [args.value('http'), args.value('token-file')]
  if (tokenFile !== undefined && http === undefined) {
    throw usageError('--token-file is for --http', 'Only HTTP needs a token.')
  }
  let removeToken: (() => void) | undefined
  return {
    address: http === undefined ? undefined : readListenAddress(http),
    /** Says where the server listens, and its token, unless the user gave that. */
    tell(url: string, token: string, isGiven = false): void {
      if (!isGiven && tokenFile !== undefined) removeToken = writeServerToken(tokenFile, token)
      say(`listening at ${url}${isGiven || tokenFile !== undefined ? '' : `, token ${token}`}`)
    },
    removeToken: () => removeToken?.(),
  }
}
