// Sizes for people.

import { t } from '../text';

export function bytes(size: number): string {
  if (size < 1_024) return t('files.bytes', { n: size });
  if (size < 1_048_576) return t('files.kilobytes', { size: (size / 1_024).toFixed(1) });
  return t('files.megabytes', { size: (size / 1_048_576).toFixed(1) });
}
