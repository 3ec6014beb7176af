/** Loaded before hermes: its clock goes wrong by CLOCK_SHIFT milliseconds. */
const Real = Date
const shift = Number(process.env.CLOCK_SHIFT ?? 0)
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + shift)
    else super(...given)
  }

  static now() {
    return Real.now() + shift
  }
}
