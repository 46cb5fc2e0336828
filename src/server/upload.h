// A model that is sent as its file: what it is made of, and where it runs
// fastest.
#ifndef EDGEWISE_SERVER_UPLOAD_H_
#define EDGEWISE_SERVER_UPLOAD_H_

#include "http/router.h"
#include "server/predictor.h"

namespace edgewise {

// Takes a form with the file as "file" and, where the model leaves sizes open,
// "input_shape" (NAME=1x3x224x224, several with blanks between); or the file
// alone, with its name in the query. Answers 201.
http::Response AnswerUpload(const http::Request& request, Predictor& predictor);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_UPLOAD_H_
