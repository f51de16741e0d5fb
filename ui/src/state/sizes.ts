// Sizes for people.

import { formatNumber, t } from '../text';

export function bytes(size: number): string {
  if (size < 1_024) return t('files.bytes', { n: size });
  if (size < 1_048_576) return t('files.kilobytes', { size: formatNumber(size / 1_024, 1) });
  return t('files.megabytes', { size: formatNumber(size / 1_048_576, 1) });
}
