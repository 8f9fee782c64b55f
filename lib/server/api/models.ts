import 'server-only'
import { z } from 'zod'
import { named } from '@/lib/protocol/fields'
import { listedModel } from '@/lib/protocol/models'
import { defineOperation } from './operation'

export const listModels = defineOperation({
  id: 'listModels',
  method: 'get',
  path: '/api/models',
  tag: 'Models',
  summary: 'List models',
  description:
    'The models that can answer you: those of the server, those on its machine where it looks for them, and those that your own keys add. Prices are in US dollars per million tokens. What is not known is null.',
  output: {
    description: 'The models in the order to show them, and the one that answers where none is chosen.',
    schema: named('ModelList', z.object({ models: z.array(listedModel), default: z.string() })),
    example: {
      models: [
        {
          id: 'openai:gpt-6-luna',
          name: 'GPT-6 Luna',
          provider: 'openai',
          window: 1_050_000,
          input: ['text/plain', 'image/*'],
          tools: true,
          reasoning: true,
          price: { input: 0.1, output: 0.5, cached: 0.01 },
        },
      ],
      default: 'openai:gpt-6-luna',
    },
  },
  async use({ ownerId, services }) {
    const { models } = await services.models.of(ownerId)
    return {
      models: models.describe().map(({ label, ...model }) => ({ ...model, name: label })),
      default: models.defaultId,
    }
  },
})
