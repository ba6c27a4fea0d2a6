#include "engines/runtime/device_cache.h"

#include <gtest/gtest.h>

#include "fake_device.h"

namespace opbench {
namespace {

TEST(DeviceCache, WritesSomeTimesWhatTheCacheHolds) {
  FakeDevice device;
  device.cache = 1000;
  {
    DeviceCache cache(device);
    EXPECT_EQ(device.blocks, 0) << "nothing is taken before it is needed";
    ASSERT_TRUE(cache.flush(4));
    EXPECT_EQ(device.written, 4000);
    ASSERT_TRUE(cache.flush(4));
    EXPECT_EQ(device.written, 8000);
    EXPECT_EQ(device.blocks, 1);
    EXPECT_EQ(device.waits, 2);
  }
  EXPECT_EQ(device.blocks, 0);
}

TEST(DeviceCache, SaysWhyItCannot) {
  FakeDevice device;
  DeviceCache cache(device);
  EXPECT_EQ(cache.flush(4).error().message,
            "the device's cache cannot be emptied: the device does not say how large it is");
  device.cache = 1000;
  device.bytes_left = 3999;
  EXPECT_EQ(cache.flush(4).error().message,
            "the device's cache cannot be emptied: the device is full");
  device.bytes_left = 4000;
  device.copies_left = 0;
  EXPECT_EQ(cache.flush(4).error().message,
            "the device's cache cannot be emptied: the device has gone");
}

}  // namespace
}  // namespace opbench
