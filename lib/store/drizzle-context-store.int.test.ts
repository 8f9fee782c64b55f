import { describe } from 'vitest'
import { describeEngineContract } from '@/lib/testing/engine-contract'
import { storeKinds } from '@/lib/testing/open-stores'
import { describeStoreContract } from '@/lib/testing/store-contract'

for (const { name, open, missing } of storeKinds) {
  describe.skipIf(missing)(name, () => {
    describeStoreContract(`DrizzleContextStore on ${name}`, open)
    describeEngineContract(`ContextEngine on ${name}`, open)
  })
}
