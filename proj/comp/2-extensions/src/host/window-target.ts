import { realpathSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { orNothing } from '../../../0-contracts/src/index.js'
import { EXTENSION_ERRORS } from '../kit/index.js'
import { RpcError } from '../../../2-wire/src/index.js'
import { isInside } from '../../../2-files/src/index.js'

/** Files that a browser displays. Others might be opened, or even run, by other programs. */
const SHOWN = new Set(['.html', '.htm', '.svg', '.pdf', '.png', '.jpg', '.jpeg', '.gif', '.webp', '.txt'])

/**
 * Checks the target of a window: a web address, or a file in the root.
 *
 * @returns URL to open; for a file with links resolved
 * @throws RpcError `invalidUrl`
 */
export function windowTarget(written: string, root: string): string {
  const url = orNothing(() => new URL(written), undefined)
  if (!url) throw invalid(written, 'it is no absolute URL')
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    if (url.username !== '' || url.password !== '') {
      throw invalid(written, 'a name or password before the host hides where it leads')
    }
    return url.href
  }
  if (url.protocol === 'file:') return fileTarget(written, url, root)
  throw invalid(written, 'only http:, https: and file: are opened')
}

function fileTarget(written: string, url: URL, root: string): string {
  const path = orNothing(() => realpathSync.native(fileURLToPath(url)), undefined)
  // Does not reveal whether a file exists outside.
  if (path === undefined || !isInside(orNothing(() => realpathSync.native(root), root), path)) {
    throw invalid(written, 'it is no file in the root')
  }
  if (!statSync(path).isFile()) throw invalid(written, 'it is no file')
  if (!SHOWN.has(extname(path).toLowerCase())) {
    throw invalid(written, `of files only ${[...SHOWN].join(', ')} are opened`)
  }
  return pathToFileURL(path).href + url.hash
}

function invalid(written: string, why: string): RpcError {
  return new RpcError(EXTENSION_ERRORS.invalidUrl, `Invalid URL ${JSON.stringify(written.slice(0, 200))}: ${why}`)
}
