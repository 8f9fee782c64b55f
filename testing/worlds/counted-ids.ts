/** Ids in the order they are asked for: `new1`, `new2`… */
export const ids = () => {
  let count = 0
  return () => `new${++count}`
}
