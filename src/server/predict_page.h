// The page /predict: drop a model, see where it runs fastest. web/ bundles it.
#ifndef EDGEWISE_SERVER_PREDICT_PAGE_H_
#define EDGEWISE_SERVER_PREDICT_PAGE_H_

#include <string_view>

namespace edgewise {

std::string_view PredictPage();

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_PREDICT_PAGE_H_
