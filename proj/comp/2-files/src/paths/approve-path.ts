import { basename, join } from 'node:path'
import { HermesError, ifPossible, isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, PathAccess, PathGate } from '../../../0-contracts/src/index.js'
import { pathError } from './path-error.js'

/**
 * `gate.approve`, with a hint where a path leads through a file.
 *
 * @throws HermesError `ENOTDIR`, and as the gate; Node's other errors unchanged
 */
export function approvePath(gate: PathGate, verb: string, path: string, access: PathAccess): ApprovedPath {
  try {
    return gate.approve(path, access)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ENOTDIR') throw error
    const file = error.path === undefined ? 'a name in it' : `'${basename(error.path)}'`
    throw pathError('ENOTDIR', verb, path, `In this path ${file} is a file, so nothing can be below it.`)
  }
}

/** As `approveIfAllowed`, for an entry that a listing of an approved directory gave as no link. */
export function approveEntryIfAllowed(
  gate: PathGate, directory: ApprovedPath, name: string, access: 'read' | 'list',
): ApprovedPath | undefined {
  return ifPossible(
    () => gate.approveEntry?.(directory, name, access) ?? gate.approve(join(directory, name), access), undefined,
  )
}

/** Whether the gate denies an access; what it fails at otherwise, such as a name in the way, denies nothing. */
export function isDenied(gate: PathGate, path: string, access: PathAccess): boolean {
  try {
    gate.approve(path, access)
    return false
  } catch (error) {
    if (error instanceof HermesError) return error.code === 'POLICY_DENIED'
    if (isNodeError(error)) return false
    throw error
  }
}

/** `undefined` where the gate denies the path. */
export function approveIfAllowed(gate: PathGate, path: string, access: PathAccess): ApprovedPath | undefined {
  return ifPossible(() => gate.approve(path, access), undefined)
}
