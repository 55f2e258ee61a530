import { serve } from '../thread/serve.js';
import type { FormatRequest } from './FormatThread.js';
import { formatFrameText } from './formatFrameText.js';

/** A thread that makes the text of frames while steps go on. */
serve((request: FormatRequest) => [...formatFrameText(request)]);
