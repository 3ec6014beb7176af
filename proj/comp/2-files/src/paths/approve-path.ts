import { basename, join } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, PathAccess, PathGate } from '../../../0-contracts/src/index.js'
import { pathError } from './path-error.js'

/**
 * `gate.approve` with a hint where a path leads through a file.
 *
 * @throws HermesError `ENOTDIR`, and as the gate; Node's other errors as they are
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

/** As `approveIfAllowed`, for what a listing of an approved directory named and said to be no link. */
export function approveEntryIfAllowed(
  gate: PathGate, directory: ApprovedPath, name: string, access: 'read' | 'list',
): ApprovedPath | undefined {
  try {
    return gate.approveEntry?.(directory, name, access) ?? gate.approve(join(directory, name), access)
  } catch (error) {
    if (error instanceof HermesError || isNodeError(error)) return undefined
    throw error
  }
}

/** `undefined` where the path may not be used. */
export function approveIfAllowed(gate: PathGate, path: string, access: PathAccess): ApprovedPath | undefined {
  try {
    return gate.approve(path, access)
  } catch (error) {
    if (error instanceof HermesError || isNodeError(error)) return undefined
    throw error
  }
}
