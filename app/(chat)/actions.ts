'use server'

import { z } from 'zod'
import { defineAction } from '@/lib/server'
import { plantSample } from '@/lib/server/use-cases'

/** Gives the viewer the sample conversation and answers where it is. */
export const createSample = defineAction(z.object({}), (ports, { ownerId }) => plantSample(ports, ownerId))
