import { statSync } from 'node:fs'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { ContentStore } from './content-store.js'
import { DirectoryStore } from './directory-store.js'
import { S3Store } from './s3-store.js'

/**
 * Opens what `--store` names: a directory, or `s3://bucket/prefix` with endpoint, region and credentials from the usual
 * `AWS_` variables.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export async function openContentStore(
  written: string, env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ContentStore> {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(written)?.[1]
  if (scheme === undefined) {
    if (statSync(written, { throwIfNoEntry: false })?.isFile() === true) {
      throw new HermesError(
        'INVALID_OPTION', `Not a directory for content: ${written}`, { hint: 'Give a directory with --store.' },
      )
    }
    return new DirectoryStore(written)
  }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([^?#]*))?$/.exec(written) ?? []
  if (bucket === undefined) {
    throw new HermesError('INVALID_OPTION', `Not a place for content: ${scheme}://…`, {
      hint: '--store is a directory, or s3://bucket/prefix; endpoint and credentials come from AWS_ENDPOINT_URL, '
        + 'AWS_ACCESS_KEY_ID and so on.',
    })
  }
  return S3Store.open(bucket, prefix.replace(/^\/+|\/+$/g, ''), env)
}
