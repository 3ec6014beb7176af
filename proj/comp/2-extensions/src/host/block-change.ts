/** What is to become of a parameter of a block. */
export type ParameterChange =
  | { kind: 'set'; parameter: string; value: unknown }
  | { kind: 'remove'; parameter: string }

/** What is to become of the call that a block is; `rename`: its verb. */
export type CallChange = ParameterChange | { kind: 'rename'; action: string }

export type BlockChange = CallChange | { kind: 'remove-block' }

/** @param args of a call, which are changed */
export function changeArgument(args: Record<string, unknown>, change: ParameterChange): void {
  if (change.kind === 'remove') delete args[change.parameter]
  // `__proto__` too is a name like any other.
  else Object.defineProperty(args, change.parameter, {
    value: change.value, enumerable: true, configurable: true, writable: true,
  })
}
