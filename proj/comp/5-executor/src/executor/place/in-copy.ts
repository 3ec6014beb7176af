import type { LoadedPolicy } from '../../../../2-config/src/index.js'
import { isInside } from '../../../../2-files/src/index.js'

/**
 * What policy files say of a directory, for a copy of it: a path of the copy is judged as the one it was copied from.
 * Commands around runs belong to the directory itself.
 *
 * @param copy canonical, as `original`
 */
export function inCopy(loaded: LoadedPolicy, copy: string, original: string): LoadedPolicy {
  const { paths } = loaded
  const meant = (path: string): string => (isInside(copy, path) ? original + path.slice(copy.length) : path)
  return {
    ...loaded, hooks: [],
    paths: paths && {
      denies: (path, below, access, isDirectory) => paths.denies(meant(path), below, access, isDirectory),
      opens: (path, below) => paths.opens(meant(path), below),
    },
  }
}
