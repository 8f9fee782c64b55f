/** The bar above the graph; its place is kept while the graph loads. */
export const barPlace = 'flex h-10 shrink-0 items-center gap-1 border-line border-b pr-1 pl-2 touch:h-13'
/** Its height for a mouse, in px. */
export const barHeight = 40
