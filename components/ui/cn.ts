import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: { classGroups: { shadow: ['shadow-float'] } },
})

/** Joins class names; of two that set the same thing the later wins. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes))
